import { isUtf8 } from "node:buffer";
import { type HmacSettings, signedFields } from "#lib/contracts/sources/scheme-settings";
import { signedSeconds } from "../event-time.ts";
import type { fieldsOf } from "../payload.ts";

/** Values that a request puts into the signed content; each is checked before it is used. */
export type SignedParts = { timestamp: string | null; id: string | null; fields: ReadonlyMap<string, string> };

type Layout = {
  before: string;
  after: string;
  hasBody: boolean;
  separators: ReadonlySet<string>;
  /** Where the URL stands, if its query could take text of another part. */
  url: "before_body" | "after_body" | "apart" | null;
  covers: readonly string[];
};

const PLACEHOLDER = /\{([^{}]*)\}/g;
const RUNS = /(?:\{[^{}]*\}){2,}/g;

/** Splits the content at the body before values are inserted: no ID, field or time can move the body. */
export function layoutOf(settings: Pick<HmacSettings, "content">): Layout {
  const { content } = settings;
  const [before = "", after = ""] = content.split("{body}");
  const run = (content.match(RUNS) ?? []).find((names) => names.includes("{url}") && names.includes("{body}"));
  const side = run === undefined ? "apart" : run.indexOf("{url}") < run.indexOf("{body}") ? "before_body" : "after_body";
  return {
    before,
    after,
    hasBody: content.includes("{body}"),
    separators: new Set(content.replaceAll(PLACEHOLDER, "")),
    url: content.includes("{url}") ? side : null,
    covers: signedFields(settings),
  };
}

const MAX_PART = 256;

/** True for an ID or field that can't be taken for another part of the content. */
export const isOnePart = (text: string, { separators }: Layout): boolean =>
  text.length <= MAX_PART && ![...text].some((character) => separators.has(character));

/** Characters of a query as it is sent (RFC 3986 section 3.4): none that begins JSON. */
const QUERY = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*$/;
const [QUESTION, BRACE, BRACKET] = [0x3f, 0x7b, 0x5b];

/** True unless the query, which anyone chooses, could hold text of the parts beside it. Before it the URL is our own. */
export function isUrlApart(url: string, body: Uint8Array, layout: Layout): boolean {
  if (layout.url === null) return true;
  const at = url.indexOf("?");
  const query = at < 0 ? "" : url.slice(at + 1);
  if (at < 0) return layout.url !== "before_body" || body[0] !== QUESTION;
  if (layout.url === "after_body") return false;
  if (layout.url === "before_body") return QUERY.test(query) && (body[0] === BRACE || body[0] === BRACKET);
  return ![...query].some((character) => layout.separators.has(character));
}

/** A hash with a secret before it can be continued by who doesn't know it, with bytes that no text has. */
export const isPlainText = (body: Uint8Array): boolean => isUtf8(body) && !body.includes(0);

type Filled = SignedParts & { url: string; secret?: string };

/** Returns what is signed, in pieces: the body is not copied. */
export function signedPieces(body: Uint8Array, parts: Filled, { before, after, hasBody }: Layout): (string | Uint8Array)[] {
  const fill = (text: string) => text.replaceAll(PLACEHOLDER, (_, name: string) => partOf(name, parts));
  return hasBody ? [fill(before), body, fill(after)] : [fill(before)];
}

function partOf(name: string, { timestamp, id, fields, url, secret }: Filled): string {
  switch (name) {
    case "timestamp":
      return timestamp ?? "";
    case "id":
      return id ?? "";
    case "url":
      return url;
    case "secret":
      return secret ?? "";
    case "method":
      return "POST"; // events come by no other
    default:
      return fields.get(name.slice("body:".length)) ?? "";
  }
}

/** Reads the signed fields; null if one is missing or could be taken for another part. */
export function readFields(fieldAt: ReturnType<typeof fieldsOf>, layout: Layout): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (const path of layout.covers) {
    const text = fieldAt(path);
    if (text === undefined || !isOnePart(text, layout)) return null;
    fields.set(path, text);
  }
  return fields;
}

/** Each has one length or an end of its own, so that it needs no text beside it. */
const FORMS = {
  seconds: /^\d{10}$/,
  milliseconds: /^\d{13}$/,
  rfc3339: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/,
  any: /^\d{1,19}$/,
} as const;

export const isTime = (text: string, form: HmacSettings["timestampForm"]): boolean =>
  FORMS[form ?? "any"].test(text) && !Number.isNaN(secondsOfTime(text, form));

export const secondsOfTime = (text: string, form: HmacSettings["timestampForm"]): number =>
  form === "rfc3339" ? Date.parse(text) / 1000 : signedSeconds(text);

/** Writes the time; without a form in milliseconds only if the received request had it so. */
export function writeTime(now: Date, form: HmacSettings["timestampForm"], received: string | null): string {
  if (form === "rfc3339") return now.toISOString();
  const inMs = form === "milliseconds" || (form === undefined && received?.length === 13);
  return String(inMs ? now.getTime() : Math.floor(now.getTime() / 1000));
}
