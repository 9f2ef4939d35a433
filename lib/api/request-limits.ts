import { setTimeout as sleep } from "node:timers/promises";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Actor, callerIdOf } from "#lib/auth/actor";
import { env } from "#lib/config/env";
import { FairTurns, NoTurn } from "#lib/context/fair-turns";
import { forget, once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import { poolSize } from "#lib/db/pool-sizes";

const WINDOW_SECONDS = 60;

type Quota = { points: number; limiter: RateLimiterMemory };

type QuotaVerdict = { headers: Record<string, string>; exceeded: boolean };

/** Counts a request in this process, so that no caller crowds out others. Headers: draft-ietf-httpapi-ratelimit-headers-10. */
export async function countRequest(actor: Actor): Promise<QuotaVerdict> {
  const points = env().API_REQUESTS_PER_MINUTE;
  const name = actor.by.kind === "key" ? actor.by.keyId : `${actor.workspaceId} ${actor.by.userId}`;
  const { state, exceeded } = await consume(limiterOf(points), name);
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  const headers = {
    "ratelimit-policy": `"api";q=${points};w=${WINDOW_SECONDS}`,
    ratelimit: `"api";r=${Math.max(0, state.remainingPoints)};t=${seconds}`,
    ...(exceeded && { "retry-after": String(seconds) }),
  };
  return { headers, exceeded };
}

function limiterOf(points: number): RateLimiterMemory {
  const create = (): Quota => ({ points, limiter: new RateLimiterMemory({ points, duration: WINDOW_SECONDS }) });
  if (once("api-quota", create).points !== points) forget("api-quota");
  return once("api-quota", create).limiter;
}

async function consume(limiter: RateLimiterMemory, name: string): Promise<{ state: RateLimiterRes; exceeded: boolean }> {
  try {
    return { state: await limiter.consume(name), exceeded: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { state: error, exceeded: true };
    throw error;
  }
}

/** Cost for the process that receives webhooks. `heavy`: reads or folds hundreds of events. `routed`: other routes do the work. */
export type RequestCost = "light" | "heavy" | "routed";

const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** Requests of one caller in a process; other callers' don't wait for them. */
const LIGHT = {
  atOnce: Number.POSITIVE_INFINITY,
  atOncePerKey: 8,
  waitingPerKey: 200,
  waiting: 5000,
  waitMs: WAIT_MS,
  rest: { share: 0, fromWaiting: 0 },
};
/** All heavy requests of a process. In a long queue turns pause, so that the receiver has two thirds of the time. */
const HEAVY = { atOnce: 2, atOncePerKey: 1, waitingPerKey: 40, waiting: 400, waitMs: WAIT_MS, rest: { share: 2, fromWaiting: 4 } };

/** Leaves two connections of the pool to other callers, where there are so many. */
const perKey = () => Math.max(1, Math.min(LIGHT.atOncePerKey, poolSize("web") - 2));

const turns = () =>
  once("request-turns", () => ({ light: new FairTurns({ ...LIGHT, atOncePerKey: perKey() }), heavy: new FairTurns(HEAVY) }));

/** Runs the work when the caller's turn has come. @throws AppError `too_many_requests` if too many of the caller's wait, or for too long */
export async function inTurn<T>(actor: Actor, cost: RequestCost, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (cost === "routed") return work();
  try {
    return await turns()[cost].run(callerIdOf(actor), work, signal);
  } catch (error) {
    throw error instanceof NoTurn ? tooMany(cost) : error;
  }
}

/** Takes a turn for each part of a long export. `begun`: it had a turn and isn't rejected any more. @throws AppError `too_many_requests` */
export async function* inHeavyTurns<T>(actor: Actor, parts: AsyncIterable<T>, begun = false): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    const first = () => iterator.next();
    let next = await (begun ? inTurnHoweverLong(actor, first) : inTurn(actor, "heavy", first));
    while (!next.done) {
      yield next.value;
      next = await inTurnHoweverLong(actor, () => iterator.next());
    }
  } finally {
    await iterator.return?.();
  }
}

/** Retries: started work isn't broken off because others want a turn. */
async function inTurnHoweverLong<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await turns().heavy.run(callerIdOf(actor), work);
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error;
      await sleep(WAIT_MS / 10);
    }
  }
}

function tooMany(cost: "light" | "heavy"): AppError {
  const what = cost === "heavy" ? "large requests" : "requests";
  return new AppError(
    "too_many_requests",
    `Too many of your ${what} are running at once. Try again in ${RETRY_AFTER_SECONDS} seconds, fewer at a time.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}
