import { HIDDEN } from "#lib/contracts/safe-urls";
import type { AttemptResult } from "./send-attempt.ts";

/** `secrets`: texts. `own`: names of request headers whose values are. */
type Hidden = { secrets?: readonly string[]; own?: readonly string[] };

/** Hides the URL's path and query and the secrets in a result: a target may repeat them in a redirect or an error page. */
export function withoutUrl(result: AttemptResult, url: string, { secrets = [], own = [] }: Hidden = {}): AttemptResult {
  const hidden = (text: string) => [url, ...secrets].reduce(withoutSecret, text);
  const { answer, requestHeaders } = result;
  return {
    ...result,
    requestHeaders: Object.fromEntries(
      Object.entries(requestHeaders).map(([name, value]) => [name, own.includes(name) ? HIDDEN : secrets.reduce(withoutSecret, value)]),
    ),
    detail: hidden(result.detail),
    answer: answer && {
      ...answer,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(hidden) : hidden(value)]),
      ),
      body: withoutIn(answer.body, hidden),
    },
  };
}

/** Byte by byte, so that a body that is no text stays intact. */
function withoutIn(body: Buffer, hidden: (text: string) => string): Buffer {
  const text = body.toString("latin1");
  const rest = hidden(text);
  return rest === text ? body : Buffer.from(rest, "latin1");
}

/** A shorter part of a URL is a word such as `services`, not a secret. */
const LEAST_PART = 12;
/** A value in a query has a name: a shorter one is secret, too. */
const LEAST_VALUE = 6;
/** A shorter path occurs in too many texts. */
const LEAST_PATH = 8;

/** `Bearer abc`: what follows the scheme is the secret (RFC 9110, section 11.4). */
const CREDENTIALS = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ +(\S+)$/;

/** Returns the texts that give a header's value away in an answer that repeats it: as it is, in JSON, without its scheme, decoded. */
export function secretsIn(value: string): string[] {
  const credentials = CREDENTIALS.exec(value)?.[1] ?? "";
  const [, password = ""] = /^basic /i.test(value) ? (/^[^:]*:(.*)$/s.exec(Buffer.from(credentials, "base64").toString()) ?? []) : [];
  const texts = [value, credentials, password].filter((text) => text.length >= LEAST_VALUE);
  return texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
}

/** Hides a secret (a URL or a key) in a target's answer: a chat's URL may come back in a redirect, and its path in an error page. */
export function withoutSecret(text: string, secret: string): string {
  return partsOf(secret).reduce((rest, part) => rest.replaceAll(part, HIDDEN), text);
}

/** Longest first: replacing a part of a part would leave the rest. */
function partsOf(secret: string): string[] {
  if (secret === "") return [];
  const parts = [secret];
  if (URL.canParse(secret)) {
    const { pathname, search, searchParams } = new URL(secret);
    const values = [...searchParams.values()].filter((value) => value.length >= LEAST_VALUE);
    const pieces = [...pathname.split("/").filter((piece) => piece.length >= LEAST_PART), ...values];
    const whole = [pathname + search, pathname].filter((part) => part.length >= LEAST_PATH);
    parts.push(...whole, ...pieces, ...pieces.map(decoded));
  }
  return [...new Set(parts)].filter((part) => part.length > 1).sort((a, b) => b.length - a.length);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
