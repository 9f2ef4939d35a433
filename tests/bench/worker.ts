import { processEvents } from "#lib/flows/processing/process-events";
import { fillLog } from "#tests/support/large-log";
import { emptyLog, type Place, say } from "./harness.ts";

const EVENTS = 20_000;

/** From the log into views, by one worker that has this machine to itself. */
export async function benchWorker(place: Place): Promise<void> {
  say("worker: from the log into views");
  await emptyLog();
  await fillLog({ ...place, events: EVENTS, waiting: true, days: 1, run: "worker" });
  const started = performance.now();
  while ((await processEvents()) > 0);
  say(`  ${EVENTS} events applied at ${(EVENTS / ((performance.now() - started) / 1000)).toFixed(0)} events/s by one worker alone`);
  await emptyLog();
}
