import PQueue from "p-queue";
import { once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";

/** Reading a history takes tens of megabytes: so many do it at once in a process, and so many may wait. */
const AT_ONCE = 2;
const MAX_WAITING = 100;
const TURN_TIMEOUT_MS = 15_000;
const RETRY_SECONDS = 5;

const queue = (): PQueue => once("history-turns", () => new PQueue({ concurrency: AT_ONCE }));

const tooBusy = () =>
  new AppError("unavailable", "Too many record histories are being read right now. Try again in a few seconds.", {
    retryAfterSeconds: RETRY_SECONDS,
  });

/** Runs work that reads histories in turn. Never nest it: the inner one would wait for the outer. @throws AppError `unavailable` */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (queue().size >= MAX_WAITING) throw tooBusy();
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(tooBusy()), TURN_TIMEOUT_MS);
  const begin = () => {
    clearTimeout(timer);
    return work();
  };
  return queue().add(begin, { signal: waiting.signal });
}
