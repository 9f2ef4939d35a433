import { attachToRunning } from "#lib/installation/database";

// A second web process beside a running installation: same data, other port.

await attachToRunning();
await import("#lib/processes/web");
