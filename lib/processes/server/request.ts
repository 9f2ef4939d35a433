import { IncomingMessage, type ServerResponse } from "node:http";
import { env } from "#lib/config/env";
import { type AppError, ERROR_CODES } from "#lib/contracts/api/app-error";
import { wasUnavailableSince } from "#lib/db/unavailable";
import { problem, RETRY_AFTER_S } from "#lib/http/problem";
import { announcedLength, bodyError, bodyIntake, bodyLimitOf } from "#lib/http/request-body";
import { isLoopback, resolveClientIp } from "#lib/http/request-head";
import { DATA_POLICY, STATIC_HEADERS } from "#lib/http/security-headers";
import { metrics } from "#lib/observability/metrics";

/** Reads the body within bounds before the request is handled: the framework would read one of any size into memory. */
export async function withBody(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: IncomingMessage) => Promise<void>,
): Promise<void> {
  if (!hasBody(request)) return handle(request);
  const maxBytes = bodyLimitOf(pathnameOf(request));
  const limits = { maxBytes, contentLength: announcedLength(request.headers["content-length"]) };
  await bodyIntake("server").read(request, limits, async (body) => {
    if (typeof body !== "string") return handle(replay(request, body));
    if (body === "aborted") return void response.destroy();
    return answerProblem(request, response, bodyError(body, maxBytes), { cut: body === "too_slow" });
  });
}

/** True if the announced length alone rejects the body (RFC 9110 section 10.1.1: before `100 Continue`). */
export const announcesTooMuch = (request: IncomingMessage, maxBytes = bodyLimitOf(pathnameOf(request))): boolean =>
  (announcedLength(request.headers["content-length"]) ?? 0) > maxBytes;

const pathnameOf = ({ url = "/" }: IncomingMessage) => url.split("?", 1)[0] ?? "/";

/** True if the request says that it has a body (RFC 9112 section 6.3). */
const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0").replace(/^0+/, "") !== "";

function replay(request: IncomingMessage, body: Uint8Array): IncomingMessage {
  const copy = new IncomingMessage(request.socket);
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, headers, headersDistinct } = request;
  const head = { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, headers, headersDistinct };
  Object.assign(copy, head, { complete: true });
  copy.push(body);
  copy.push(null);
  return copy;
}

export function clientIp(request: IncomingMessage): string | null {
  const { TRUSTED_PROXIES: proxies } = env();
  const forwarded = proxies === 0 ? undefined : request.headersDistinct["x-forwarded-for"]?.join(",");
  return resolveClientIp(request.socket.remoteAddress, forwarded, proxies);
}

const SET_BY_PROXIES = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** Not only `localhost`: *.localhost is this machine too (RFC 6761 section 6.3). */
const OWN_NAME = /^([\w-]+\.)*localhost$/i;

/** True for a program on this machine without a proxy: a local one brings outside requests, as does a browser whose name was rebound. */
export const isFromThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress ?? "") && SET_BY_PROXIES.every((name) => headers[name] === undefined) && namesThisMachine(headers.host);

function namesThisMachine(host = ""): boolean {
  const name = host.replace(/:\d*$/, "");
  return OWN_NAME.test(name) || isLoopback(name.replace(/^\[|\]$/g, ""));
}

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
