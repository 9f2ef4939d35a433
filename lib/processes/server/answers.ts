import type { IncomingMessage, ServerResponse } from "node:http";
import { type AppError, ERROR_CODES } from "#lib/contracts/api/app-error";
import { wasUnavailableSince } from "#lib/db/unavailable";
import { problem, RETRY_AFTER_S } from "#lib/http/problem";
import { DATA_POLICY, STATIC_HEADERS } from "#lib/http/security-headers";
import { metrics } from "#lib/observability/metrics";

/** A sender of too much may go on this long before the connection is cut. */
const LINGER_MS = 2000;

export type PlainAnswer = { status: number; headers: Record<string, string | number>; body: string };

/** Answers before the body is read to its end. Without `cut` up to 2 s more are discarded: closing on unread bytes loses the answer. */
export async function answerUnread(request: IncomingMessage, response: ServerResponse, answer: PlainAnswer, cut: boolean): Promise<void> {
  const headers = { ...answer.headers, "content-length": Buffer.byteLength(answer.body), connection: "close" };
  response.writeHead(answer.status, headers).write(answer.body);
  if (!cut) await discardRest(request);
  response.end(() => cut && request.destroy());
}

function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) return resolve();
    const timer = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", done).once("close", done).resume();
  });
}

/** Answers with a problem (RFC 9457) and closes. Counted, not logged: anyone can cause it, as often as they like. */
export function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  { code, status, message }: AppError,
  extra: { headers?: Record<string, string>; cut?: boolean } = {},
): Promise<void> {
  metrics().requestsRejected.inc({ reason: code });
  const body = JSON.stringify(problem(status, code, ERROR_CODES[code][1], message));
  const headers = {
    ...STATIC_HEADERS,
    "content-security-policy": DATA_POLICY,
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    ...(status === 503 && { "retry-after": "5" }),
    ...extra.headers,
  };
  return answerUnread(request, response, { status, headers, body }, extra.cut ?? false);
}

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
