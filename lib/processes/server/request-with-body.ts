import { IncomingMessage, type ServerResponse } from "node:http";
import { bodyLimitOf } from "#lib/http/body/body-limits";
import { announcedLength } from "#lib/http/body/raw-body";
import { bodyError, bodyIntake } from "#lib/http/body/request-body";
import { answerProblem } from "./answer-unread.ts";

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
