import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { env } from "#lib/config/env";

export type Undecoded = "too_large" | "unreadable";
type Decoded = { ok: true; body: Uint8Array } | { ok: false; why: Undecoded };
type Header = string | string[] | undefined;
type Decoder = (coded: Uint8Array, options: { maxOutputLength: number }) => Buffer;

export const UNDECODED: Record<Undecoded, string> = {
  too_large: "Decoded, the body is larger than WEBHOOK_MAX_BYTES.",
  unreadable: "The body is not in the coding that its header content-encoding names, or in one that is not read: gzip, deflate and br are.",
};

/** Reads no event of a body that verified and can't be decoded. */
export const undecodedReading = (why: Undecoded) => ({ outcome: "malformed_json" as const, detail: UNDECODED[why], undecoded: why });

/** Undoes content codings (RFC 9110 section 8.4), the last one first; null if the header names none. */
export function decodeBody(coded: Uint8Array, header: Header, maxBytes: number): Decoded | null {
  if (!isCoded(header)) return null;
  const codings = codingsIn(header);
  if (codings === null || codings.length > MAX_CODINGS) return { ok: false, why: "unreadable" };
  let body = coded;
  for (const coding of codings.reverse()) {
    const decoder = DECODERS.get(coding);
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
export function decodedOf(body: Uint8Array, headers: Record<string, Header>, maxBytes?: number): Uint8Array | null {
  const decoded = decodeKept(body, headers, maxBytes);
  return decoded?.ok ? decoded.body : null;
}

/** Decodes the body of a request that was kept as it came; null for one that isn't coded. */
export function decodeKept(body: Uint8Array, headers: Record<string, Header>, maxBytes?: number): Decoded | null {
  const header = headers["content-encoding"];
  return isCoded(header) ? decodeBody(body, header, maxBytes ?? env().WEBHOOK_MAX_BYTES) : null;
}

/** Headers of a body that was decoded since. */
export const withoutCoding = <T>({ "content-encoding": _, ...headers }: Record<string, T>): Record<string, T> => headers;

export const isCoded = (header: Header): boolean => header !== undefined && codingsIn(header)?.length !== 0;

/** A few bytes can be coded again and again, each time at the price of a whole body. */
const MAX_CODINGS = 2;

/** Characters: a longer header is no sender's, and its names would cost milliseconds before anything is verified. */
const MAX_HEADER = 100;

/** Returns the codings that a header names; null for one that is too long to be read. */
function codingsIn(header: Header): string[] | null {
  const text = [header ?? []].flat().join(",");
  if (text.length > MAX_HEADER) return null;
  const names = text.toLowerCase().split(",");
  return names.map((name) => name.trim()).filter((name) => DECODERS.has(name) || !(NO_CODING.has(name) || CHARSET.test(name)));
}

/** Written by senders that mean a transfer encoding of mail, or nothing. */
const NO_CODING: ReadonlySet<string> = new Set(["", "identity", "none", "7bit", "8bit", "binary"]);

/** Some senders write the charset here: the body is as it was. Labels of the WHATWG's encodings; a TextDecoder throws for any other name. */
const CHARSET =
  /^(?:utf-?8|utf-16(?:[bl]e)?|unicode|(?:us-)?ascii|iso[-_]?8859[-_]?\d{1,2}|l(?:atin)?\d|(?:windows-|x?-?cp)\d{3,4}|koi8-?[ru]?|gb(?:k|18030|_?2312)|big5(?:-hkscs)?|euc-(?:jp|kr)|iso-2022-jp|s(?:hift[-_])?jis)$/;

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
