import { IncomingMessage, type ServerResponse } from "node:http";
import { env } from "#lib/config/env";
import { isLoopback, resolveClientIp } from "#lib/http/ip-address";
import { announcedLength, bodyError, bodyIntake, bodyLimitOf } from "#lib/http/request-body";
import { answerProblem } from "./answers.ts";

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

/** True for a program on this machine without a proxy: a local proxy brings outside requests from a loopback address. */
export const isFromThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress ?? "") && SET_BY_PROXIES.every((name) => headers[name] === undefined);
