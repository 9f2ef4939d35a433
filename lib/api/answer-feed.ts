import { type Actor, callerIdOf } from "#lib/auth/actor";
import { findActor } from "#lib/auth/find-actor";
import { can } from "#lib/auth/permissions";
import { once, together } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import { eventStream, type StreamFrame } from "#lib/http/streamed-answer";

/** Most feeds of one user or API key in a process. A browser has one for each window. */
const MAX_FEEDS = 100;
const RETRY_AFTER_SECONDS = 10;

const openFeeds = () => once("open-feeds", () => new Map<string, number>());
const askTogether = together<boolean>();

type Frames = (signal: AbortSignal, mayStillWatch: () => Promise<boolean>) => AsyncIterable<StreamFrame>;

/**
 * Answers a feed of the log while its reader may read it. Feeds of one reader that check this at the same time share the result.
 * @throws AppError `too_many_requests` if the reader has too many open
 */
export function answerFeed(actor: Actor, request: Request, frames: Frames, whenSlow?: "drop" | "wait"): Response {
  const reader = callerIdOf(actor);
  const open = openFeeds();
  const count = open.get(reader) ?? 0;
  if (count >= MAX_FEEDS)
    throw new AppError("too_many_requests", `You have ${count} feeds open. Close one before you open another.`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  open.set(reader, count + 1);
  const leave = () => {
    const rest = (open.get(reader) ?? 1) - 1;
    if (rest === 0) open.delete(reader);
    else open.set(reader, rest);
  };
  const { headers } = request;
  const credential = headers.get("authorization") ?? headers.get("cookie") ?? "";
  const mayStillWatch = () =>
    askTogether(`${actor.workspaceId} ${credential}`, async () => {
      const reading = await findActor(headers, new Date());
      return reading !== null && reading.workspaceId === actor.workspaceId && can(reading.role, "events.read");
    });
  async function* counted(signal: AbortSignal) {
    try {
      yield* frames(signal, mayStillWatch);
    } finally {
      leave();
    }
  }
  return eventStream(request, counted, whenSlow);
}
