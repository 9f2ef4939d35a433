import { setTimeout as sleep } from "node:timers/promises";
import { say } from "#lib/processes/progress";

const LIMIT_MS = 90_000;
const SAY_EVERY_MS = 30_000;

/** Waits until a page answers, not only a port; through an outage (503) as long as it takes. @throws Error after 90 s otherwise */
export async function pageAnswers(port: number, signal: AbortSignal): Promise<void> {
  let words = "";
  let saidAt = Number.NEGATIVE_INFINITY;
  for (let end = performance.now() + LIMIT_MS; performance.now() < end && !signal.aborted; await sleep(200)) {
    try {
      const { status } = await fetch(`http://127.0.0.1:${port}/`, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
      if (status < 500) return;
      words = `it returned ${status}`;
      if (status !== 503) continue;
      end = performance.now() + LIMIT_MS;
      if (performance.now() - saidAt < SAY_EVERY_MS) continue;
      saidAt = performance.now();
      say("\nWaiting for the database: the first page answers 503. Startup continues when it responds.");
    } catch (error) {
      words = (error as Error).message;
    }
  }
  throw new Error(`The first page does not load: ${words}`);
}
