import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Actor } from "#lib/auth/actor";
import { env } from "#lib/config/env";
import { forget, once } from "#lib/context/once";

const WINDOW_SECONDS = 60;

type Quota = { points: number; limiter: RateLimiterMemory };

export type QuotaVerdict = { headers: Record<string, string>; exceeded: boolean };

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
