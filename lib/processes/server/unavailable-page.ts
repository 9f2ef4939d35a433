import type { ServerResponse } from "node:http";
import { wasUnavailableSince } from "#lib/db/unavailable";
import { RETRY_AFTER_S } from "#lib/http/problem";

/** Turns a page's 500 into a 503 if the database was unavailable meanwhile: a page of Next can't say so itself. */
export function sayWhenUnavailable(response: ServerResponse): void {
  const since = performance.now();
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  // Node calls this also for an answer without an explicit head.
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    if (status !== 500 || !wasUnavailableSince(since)) return writeHead(status, ...rest);
    response.setHeader("retry-after", String(RETRY_AFTER_S));
    return writeHead(503, ...rest.filter((each) => typeof each !== "string")); // a reason phrase would be the 500's
  }) as typeof response.writeHead;
}
