import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { env } from "#lib/config/env";

export type Undecoded = "too_large" | "unreadable";
type Decoded = { ok: true; body: Uint8Array } | { ok: false; why: Undecoded };
type Header = string | string[] | undefined;
type Decoder = (coded: Uint8Array, options: { maxOutputLength: number }) => Buffer;

/** Undoes content codings (RFC 9110 section 8.4), the last one first; null if the header names none. */
export function decodeBody(coded: Uint8Array, header: Header, maxBytes: number): Decoded | null {
  if (!isCoded(header)) return null;
  const codings = codingsIn(header);
  let body = coded;
  for (const coding of codings.reverse()) {
    const decoder = codings.length > MAX_CODINGS ? undefined : DECODERS.get(coding);
    if (decoder === undefined) return { ok: false, why: "unreadable" };
    try {
      body = decoder(body, { maxOutputLength: maxBytes });
    } catch (error) {
      return { ok: false, why: (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : "unreadable" };
    }
  }
  return { ok: true, body };
}

/** Returns the decoded body of a request that was kept as it came; null for one that isn't coded, or can't be decoded. */
export function decodedOf(
  body: Uint8Array,
  headers: Record<string, Header>,
  maxBytes: number = env().WEBHOOK_MAX_BYTES,
): Uint8Array | null {
  const decoded = decodeBody(body, headers["content-encoding"], maxBytes);
  return decoded?.ok ? decoded.body : null;
}

export const isCoded = (header: Header): boolean => header !== undefined && codingsIn(header).length > 0;

/** A few bytes can be coded again and again, each time at the price of a whole body. */
const MAX_CODINGS = 2;

const codingsIn = (header: Header): string[] =>
  [header ?? []]
    .flat()
    .join(",")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => !NO_CODING.has(coding) && !isCharset(coding));

/** Written by senders that mean a transfer encoding of mail, or nothing. */
const NO_CODING: ReadonlySet<string> = new Set(["", "identity", "none", "7bit", "8bit", "binary"]);

/** Some senders write the charset here: the body is as it was. */
function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

/** Reads both formats that are sent as `deflate`: zlib's (RFC 1950 section 2.2), and the stream without its header. */
const inflate: Decoder = (coded, options) => {
  const [method = 0, flags = 0] = coded;
  return method % 16 === 8 && (method * 256 + flags) % 31 === 0 ? inflateSync(coded, options) : inflateRawSync(coded, options);
};

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflate],
  ["br", brotliDecompressSync],
]);
