import type { CustomFetchOptions } from "oauth4webapi";
import { request } from "undici";
import { agent } from "#lib/http/informational-responses";
import { decodeBody } from "./content-coding.ts";

/** Long: a platform may have rotated the refresh token when this gives up. A stop waits a little longer (`STOP_LIMITS.token`). */
const TIMEOUT_MS = 9000;
const MAX_ANSWER_BYTES = 65_536;

/** `what` is one word for logs and cards, never a URL or a body. */
export class TransportError extends Error {
  override name = "TransportError";
  readonly kind: "unreachable" | "too_large";

  constructor(kind: "unreachable" | "too_large", what: string) {
    super(what);
    this.kind = kind;
  }
}

type Body = "json" | "form";

/** Posts a token request. `json`: docs/platform.md, "Token request body fields". */
export function platformFetch(body: Body) {
  return (url: string, options: CustomFetchOptions<"POST", URLSearchParams>): Promise<Response> => {
    const headers = { ...options.headers, ...(body === "json" && { "content-type": "application/json" }) };
    return send(url, { method: "POST", headers, body: encode(options.body, body) }, options.signal);
  };
}

export const getMetadata = (url: string, { headers, signal }: CustomFetchOptions<"GET", undefined>): Promise<Response> =>
  send(url, { method: "GET", headers }, signal);

type Sent = { method: "GET" | "POST"; headers: Record<string, string>; body?: string };

/**
 * Uses undici (Next patches fetch), follows no redirect, throws TransportError. Asks for no content coding, but reads one: an unreadable
 * answer would lose the tokens that it rotated (RFC 9110 section 12.5.3).
 */
async function send(url: string, { headers, ...sent }: Sent, given: AbortSignal | undefined): Promise<Response> {
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(given ? [given] : [])]);
  try {
    const answer = await request(url, { ...sent, headers: { ...headers, "accept-encoding": "identity" }, signal, dispatcher: agent });
    const text = decode(await readCapped(answer.body), answer.headers["content-encoding"]).toString("utf8");
    const kept = KEPT_HEADERS.flatMap((name) => [answer.headers[name] ?? []].flat().map((value): [string, string] => [name, value]));
    return new Response([204, 205, 304].includes(answer.statusCode) ? null : text, { status: answer.statusCode, headers: kept });
  } catch (error) {
    throw error instanceof TransportError ? error : new TransportError("unreachable", reasonOf(error));
  }
}

const KEPT_HEADERS = ["content-type", "retry-after", "date", "www-authenticate"];

const encode = (fields: URLSearchParams, body: Body) => (body === "json" ? JSON.stringify(Object.fromEntries(fields)) : fields.toString());

async function readCapped(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new TransportError("too_large", "answer_too_large"); // leaving the loop ends the request
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads it as it is where it can't be decoded: that text is no JSON, or its header is wrong. */
function decode(coded: Buffer, encoding: string | string[] | undefined): Buffer {
  const decoded = decodeBody(coded, encoding, MAX_ANSWER_BYTES);
  if (decoded?.ok === false && decoded.why === "too_large") throw new TransportError("too_large", "answer_too_large");
  return decoded?.ok ? Buffer.from(decoded.body) : coded;
}

function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  return name === "TimeoutError" ? "timeout" : typeof code === "string" ? code : "no_answer";
}
