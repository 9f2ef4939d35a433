import { shareFor } from "#lib/context/shared-answer";
import { measureHorizonAge } from "./horizon-store.ts";

/** The feeds of a process share an answer for this long. Milliseconds. */
const FRESH_MS = 2000;
/** A commit takes a moment: what is held back for less is no delay. Milliseconds. */
const NOTICEABLE_MS = 2000;

const readAge = shareFor(FRESH_MS, (now) => measureHorizonAge(now).catch(() => null));

/**
 * For how many whole seconds new events have been held back from feed and search; 0 when they are not, or when nobody
 * can tell.
 */
export async function readDelaySeconds(): Promise<number> {
  const age = (await readAge()) ?? 0;
  return age < NOTICEABLE_MS ? 0 : Math.round(age / 1000);
}
