import { setTimeout as sleep } from "node:timers/promises";
import { attachToRunning } from "#lib/installation/database";

// `next start` on a running installation's data, as hosts run the build that know nothing of the product's own server.

await attachToRunning();
process.argv.splice(2, process.argv.length, "start", "--port", process.env.PORT ?? "", "--hostname", "127.0.0.1");
await import("next/dist/bin/next");
const answers = () =>
  fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await answers())) await sleep(50);
process.send?.("ready");
