import { closePools } from "#lib/db/pool";
import { rotateVault } from "#lib/flows/vault/vault-keys";

// A rotation in a process of its own, which says how far it is and waits for
// leave to go on, so that it can be killed at an exact point.

const reply = () => new Promise<void>((resolve) => process.once("message", () => resolve()));

process.on("message", () => undefined); // keeps the channel, and with it the process, alive
process.send?.({ done: 0 });
await reply();
const rotation = await rotateVault({ onProgress: (done) => void process.send?.({ done }) });
await closePools();
process.send?.({ rotation }, () => process.exit(0));
