import { setTimeout as sleep } from "node:timers/promises";

/** Time that workers have to apply, file and hand on what an examination brought. Milliseconds. */
const LIMIT_MS = 60_000;

/** Promises that did not hold, in words. */
export class Complaints {
  readonly list: string[] = [];
  held = 0;

  /** @param found shown beside the promise where that did not hold */
  that(promise: string, holds: boolean, found: unknown = ""): void {
    if (holds) this.held += 1;
    else this.list.push(`${promise}${found === "" ? "" : `: ${JSON.stringify(found)?.slice(0, 400)}`}`);
  }
}

/** Reads again until it is as wanted, or the time is over. @returns the last that was read */
export async function until<T>(read: () => Promise<T>, isAsWanted: (found: T) => boolean): Promise<T> {
  for (const end = performance.now() + LIMIT_MS; ; ) {
    const found = await read();
    if (isAsWanted(found) || performance.now() > end) return found;
    await sleep(200);
  }
}
