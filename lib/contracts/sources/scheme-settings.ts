import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";
import { challengeSettings, eventAnswer } from "./challenge-settings.ts";

/** Header name (RFC 9110, section 5.1), lowercase. */
const headerName = text(100).check(
  z.toLowerCase(),
  z.regex(/^[!#$%&'*+\-.^_`|~0-9a-z]+$/, "must be the name of a header, such as x-signature"),
);

/** `{n}` stands for 1, 2, 3 …: one header for each key. */
const signatureHeader = text(100).check(
  z.toLowerCase(),
  z.regex(/^[!#$%&'*+\-.^_`|~0-9a-z]+(\{n\})?$/, "must be the name of a header, such as x-signature or x-signature-{n}"),
);

/** Path in a JSON body or form; it goes on into a text that is JSON: `json.event.event_hash`. */
const bodyField = text(200).check(z.regex(/^[^\s.{}:][^{}:]*$/, "must be a path in the body, such as event.hash"));

const MAX_FIELDS = 5;
const PLACEHOLDER = /\{([^{}]*)\}/g;
const placeholdersOf = (content: string): string[] => [...content.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
const isBodyField = (name: string): boolean => name.startsWith("body:") && bodyField.safeParse(name.slice("body:".length)).success;
const NAMES: ReadonlySet<string> = new Set(["body", "timestamp", "id", "url", "method", "secret"]);
/** `{a}{b}{c}` in `x{a}{b}{c}y`: placeholders that no text separates. */
const RUNS = /(?:\{[^{}]*\}){2,}/g;

type Content = { content: string; timestampForm?: TimestampForm | undefined };

/** True if some part could take text of another: between two words of the content only one may have any form. */
function isShiftable({ content, timestampForm }: Content): boolean {
  const isFree = (name: string) => name === "body" || name === "id" || name.startsWith("body:") || (name === "timestamp" && !timestampForm);
  const runs = (content.match(RUNS) ?? []).map(placeholdersOf);
  if (!timestampForm && /\{timestamp\}\d/.test(content)) return true;
  return runs.some((run) => run.filter(isFree).length > 1 || (run.includes("url") && run.some((name) => isFree(name) && name !== "body")));
}

/** What is signed, in order: `{body}` or fields of it (`{body:event.time}`), `{timestamp}`, `{id}`, `{url}`, `{method}`, and text. */
const signedContent = text(300).check(
  z.refine((content) => {
    const names = placeholdersOf(content);
    const fields = names.filter((name) => name.startsWith("body:")).length;
    return names.filter((name) => name === "body").length === (fields === 0 ? 1 : 0) && fields <= MAX_FIELDS;
  }, `must contain {body} exactly once, or up to ${MAX_FIELDS} fields such as {body:event.time} instead`),
  z.refine(
    (content) => placeholdersOf(content).every((name) => NAMES.has(name) || isBodyField(name)),
    "can only contain {body}, {body:path}, {timestamp}, {id}, {url}, {method} and {secret}",
  ),
  z.refine((content) => !/[{}]/.test(content.replaceAll(PLACEHOLDER, "")), "has a brace that doesn't belong to a placeholder"),
);

const timestampForm = z.enum(["seconds", "milliseconds", "rfc3339"]);
export type TimestampForm = z.infer<typeof timestampForm>;

const isOne = (...given: unknown[]): boolean => given.filter((each) => each !== undefined).length === 1;

/**
 * How a sender signs. What the release before doesn't know is optional and without a default: simple settings read there as before.
 * Without `{body}` in `content` only some fields of the body are signed.
 */
export const hmacSettings = z
  .strictObject({
    /** Where the signature stands: in `header` (and `moreHeaders`), in the query's parameter `query`, or in the body at `field`. */
    header: z.optional(signatureHeader),
    moreHeaders: z.optional(z.array(signatureHeader).check(z.minLength(1), z.maxLength(4))),
    query: z.optional(text(50).check(z.regex(/^[A-Za-z0-9_.~-]+$/, "must be the name of a query parameter, such as signature"))),
    field: z.optional(bodyField),
    /** `plain`: the signature alone. `pairs`: `t=…,v1=…`. `list`: `v1,… v1,…`, separated by spaces. */
    format: z._default(z.enum(["plain", "pairs", "list"]), "plain"),
    /** Name of the signature's part; `s{n}` is s0, s1 … */
    part: z.optional(text(20)),
    /** Between pairs; a comma unless given. */
    separator: z.optional(z.enum([",", ";"])),
    prefix: z._default(text(20), ""),
    /** HMAC unless given. `hash`: a digest of the content, which holds the secret. The others verify with the sender's public key. */
    method: z.optional(z.enum(["hash", "ed25519", "ecdsa-p256"])),
    algorithm: z._default(z.enum(["sha1", "sha256", "sha512"]), "sha256"),
    encoding: z._default(z.enum(["hex", "base64"]), "hex"),
    /** base64: the secret is decoded, without a leading `whsec_`. */
    key: z._default(z.enum(["text", "base64", "hex"]), "text"),
    content: z._default(signedContent, "{body}"),
    /** Where the time stands; `pairs` may use `timestampPart`, a signature of fields `timestampField`. */
    timestampHeader: z.optional(headerName),
    timestampPart: z.optional(text(20)),
    timestampField: z.optional(bodyField),
    /** Strict form of the time. Unless given: digits in seconds, milliseconds or smaller units, which need text beside them. */
    timestampForm: z.optional(timestampForm),
    idHeader: z.optional(headerName),
    /** Largest difference from our clock, in seconds; null for no bound. */
    toleranceSeconds: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(86_400))), null),
  })
  .check(
    z.refine(({ header, query, field }) => isOne(header, query, field), {
      path: ["header"],
      error: "the signature must stand in one place: header, query or field",
    }),
    z.refine(({ header, moreHeaders }) => moreHeaders === undefined || header !== undefined, {
      path: ["moreHeaders"],
      error: "needs header",
    }),
    z.refine(
      ({ content, format, timestampHeader, timestampPart, timestampField }) =>
        content.includes("{timestamp}") === isOne(timestampHeader, format === "pairs" ? timestampPart : undefined, timestampField),
      { path: ["content"], error: "must contain {timestamp} exactly when one header, part or field for the time is set" },
    ),
    z.refine(({ format, timestampPart }) => timestampPart === undefined || format === "pairs", {
      path: ["timestampPart"],
      error: "is only used with the format pairs",
    }),
    z.refine(({ format, separator }) => separator === undefined || format === "pairs", {
      path: ["separator"],
      error: "is only used with the format pairs",
    }),
    z.refine(({ content, timestampForm: form }) => form === undefined || content.includes("{timestamp}"), {
      path: ["timestampForm"],
      error: "needs {timestamp} in content",
    }),
    z.refine(({ content, idHeader }) => content.includes("{id}") === (idHeader !== undefined), {
      path: ["content"],
      error: "must contain {id} exactly when idHeader is set",
    }),
    z.refine(({ content, method }) => content.split("{secret}").length === (method === "hash" ? 2 : 1), {
      path: ["content"],
      error: "must contain {secret} exactly once with the method hash, and with no other",
    }),
    z.refine(({ content, toleranceSeconds }) => toleranceSeconds === null || content.includes("{timestamp}"), {
      path: ["toleranceSeconds"],
      error: "requires {timestamp} in content: an unsigned time proves nothing",
    }),
    z.refine(({ query, content }) => query === undefined || !content.includes("{url}"), {
      path: ["content"],
      error: "can't contain {url}: the signature is a part of it",
    }),
    z.refine(({ field, content }) => field === undefined || !content.includes("{body}"), {
      path: ["content"],
      error: "can't contain {body}: the signature is a part of it. List the fields that are signed, such as {body:event.time}",
    }),
    z.refine((settings) => !isShiftable(settings), {
      path: ["content"],
      error: "must separate its placeholders with text, such as {timestamp}.{body}, or set timestampForm where the time touches the body",
    }),
  );
export type HmacSettings = z.infer<typeof hmacSettings>;

/** Fields of the body that are signed; empty if the whole body is. */
export const signedFields = ({ content }: Pick<HmacSettings, "content">): string[] =>
  placeholdersOf(content).flatMap((name) => (name.startsWith("body:") ? [name.slice("body:".length)] : []));

/** A JSON Web Token (RFC 7519) in a header, or as the whole body. Its key is the source's secret, or one of a JWKS that a worker fetches. */
export const jwtSettings = z
  .strictObject({
    /** Absent: the body is the token. */
    header: z.optional(headerName),
    prefix: z.optional(text(20)),
    algorithm: z.enum(["HS256", "RS256", "ES256", "EdDSA"]),
    /** Claim that holds the SHA-256 of the body. Without it a token in a header proves nothing about the body. */
    bodyClaim: z.optional(text(100)),
    bodyEncoding: z.optional(z.enum(["hex", "base64url", "base64"])),
    issuer: z.optional(text(200)),
    audience: z.optional(text(200)),
    /** By `iat`; `exp` and `nbf` always count. */
    toleranceSeconds: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(86_400))), 300),
    /** URL of the sender's keys, over HTTPS. A secret isn't needed then. */
    jwks: z.optional(
      text(300).check(z.regex(/^https:\/\/[a-z0-9.-]+\.[a-z]{2,}(:\d{1,5})?\/[\w./~%-]*$/i, "must be an https:// URL without a query")),
    ),
  })
  .check(
    z.refine(({ header, bodyClaim }) => bodyClaim === undefined || header !== undefined, { path: ["bodyClaim"], error: "needs header" }),
    z.refine(({ bodyClaim, bodyEncoding }) => bodyEncoding === undefined || bodyClaim !== undefined, {
      path: ["bodyEncoding"],
      error: "needs bodyClaim",
    }),
    z.refine(({ jwks, algorithm }) => jwks === undefined || algorithm !== "HS256", {
      path: ["algorithm"],
      error: "HS256 has a shared secret, which no JWKS holds",
    }),
  );
export type JwtSettings = z.infer<typeof jwtSettings>;

export const tokenSettings = z.strictObject({ header: z._default(headerName, "authorization"), prefix: z._default(text(20), "") });
export type TokenSettings = z.infer<typeof tokenSettings>;

export const networkSettings = z.strictObject({
  networks: z.array(text(50)).check(z.minLength(1, "must list at least one network, such as 10.0.0.0/8"), z.maxLength(50)),
});
export type NetworkSettings = z.infer<typeof networkSettings>;

/** Topics whose messages are accepted and whose subscriptions are confirmed. */
export const snsSettings = z.strictObject({
  topics: z
    .array(
      text(512).check(
        z.regex(
          /^arn:aws(-cn|-us-gov)?:sns:[a-z0-9-]{3,40}:\d{12}:[\w-]{1,256}$/,
          "must be the ARN of a topic, arn:aws:sns:region:account:name",
        ),
      ),
    )
    .check(z.minLength(1, "must list the ARN of at least one topic"), z.maxLength(20)),
});
export type SnsSettings = z.infer<typeof snsSettings>;

const given = {
  sns: z.optional(snsSettings),
  hmac: z.optional(hmacSettings),
  token: z.optional(tokenSettings),
  network: z.optional(networkSettings),
  jwt: z.optional(jwtSettings),
  /** Over the template's, for senders that are described by hand. */
  challenges: z.optional(z.array(challengeSettings).check(z.maxLength(4))),
  answer: z.optional(eventAnswer),
};

export const givenSchemeSettings = z.strictObject(given);

/** `unknown.until`: requests of an unknown sender are kept to learn from. `learning.until`: the sender may bring its secret, `secretId`. */
export const schemeSettings = z.strictObject({
  ...given,
  unknown: z.optional(z.strictObject({ until: z.string() })),
  learning: z.optional(z.strictObject({ until: z.string(), secretId: z.optional(z.string()) })),
});
export type SchemeSettings = z.infer<typeof schemeSettings>;

const MAX_PATHS = 5;

/**
 * Dotted path, `header:name`, `query:name` or text with these in braces. `text:words` is constant; `receipt:id` is new each time. In a list
 * also `outer:path`, in the entry of the list around it, and `body:path`, in the whole body.
 */
const valuePath = text(200).check(z.minLength(1));
const valuePaths = z.array(valuePath).check(z.minLength(1), z.maxLength(MAX_PATHS));

const MAX_ABOUT = 12;

/** Text with paths of the event's own body in braces: stored events are read by it, whose headers and neighbours may be gone. */
const aboutText = text(200).check(
  z.refine((about) => placeholdersOf(about).length > 0, "must contain a place in braces, such as {order.name}"),
  z.refine(
    (about) => placeholdersOf(about).every((place) => /^[^\s:.][^:]*$/.test(place)),
    "can only contain paths of the event's body in braces, such as {order.name}: no headers",
  ),
  z.refine((about) => !/[{}]/.test(about.replaceAll(PLACEHOLDER, "")), "has a brace that doesn't belong to a place"),
);

/** Of several paths, the first that has a value is used. */
export const eventReading = z.strictObject({
  /** `headers`: the body may be empty. `xml`: it is XML; places are paths of its elements without namespaces. Else JSON or a form. */
  body: z.optional(z.enum(["headers", "xml"])),
  /** Field of a form that holds the event as JSON; `payload` is always one. */
  field: z.optional(text(100).check(z.minLength(1))),
  /** Path of a list in the body (`$`: the body) whose entries are events; the other paths are relative to an entry. `a[].b`: in each of a. */
  items: z.optional(valuePath),
  /** Default: the SHA-256 of the body, so that equal bodies are one event. */
  id: z.optional(valuePaths),
  type: valuePaths,
  /** Default, and if the value is missing: the time of receipt. */
  created: z.optional(valuePaths),
  /** Default: the whole body. */
  data: z.optional(valuePath),
  /** What an event is about, in a line of its row: the first text all of whose places have a value. */
  about: z.optional(z.array(aboutText).check(z.minLength(1), z.maxLength(MAX_ABOUT))),
});
export type EventReading = z.infer<typeof eventReading>;
