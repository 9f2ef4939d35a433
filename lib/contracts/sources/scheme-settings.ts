import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";

/** A header's name (RFC 9110, section 5.1), in small letters. */
const headerName = text(100).check(
  z.toLowerCase(),
  z.regex(/^[!#$%&'*+\-.^_`|~0-9a-z]+$/, "must be the name of a header, such as x-signature"),
);

/**
 * A signature by HMAC as a sender describes it: where it stands, what it is made over and how it is written. The
 * content is text with `{body}` exactly once, and `{timestamp}`, `{id}` and `{url}` before or after it.
 */
export const hmacSettings = z
  .strictObject({
    header: headerName,
    /** `plain`: the signature alone. `pairs`: `t=…,v1=…`. `list`: `v1,… v1,…`, parted by blanks. */
    format: z._default(z.enum(["plain", "pairs", "list"]), "plain"),
    /** The name of the part that is the signature, for `pairs` and `list`. */
    part: z.optional(text(20)),
    /** Text before a plain signature, such as `sha256=`. */
    prefix: z._default(text(20), ""),
    algorithm: z._default(z.enum(["sha1", "sha256", "sha512"]), "sha256"),
    encoding: z._default(z.enum(["hex", "base64"]), "hex"),
    /** Conversion of the secret into the key: its text as it is, or decoded from base64 (a `whsec_` before it is left out). */
    key: z._default(z.enum(["text", "base64"]), "text"),
    content: z._default(
      text(200).check(
        z.refine((content) => content.split("{body}").length === 2, "must contain {body} exactly once"),
        z.refine(
          (content) => (content.match(/\{[^}]*\}/g) ?? []).every((name) => ["{body}", "{timestamp}", "{id}", "{url}"].includes(name)),
          "can only contain {body}, {timestamp}, {id} and {url}",
        ),
      ),
      "{body}",
    ),
    /** The header of the time, in Unix seconds; for `pairs` the name of a part may be given instead. */
    timestampHeader: z.optional(headerName),
    timestampPart: z.optional(text(20)),
    idHeader: z.optional(headerName),
    /** Largest difference between the time and ours, in seconds; null without a bound. */
    toleranceSeconds: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(86_400))), null),
  })
  .check(
    z.refine(
      ({ content, format, timestampHeader, timestampPart }) =>
        content.includes("{timestamp}") === (timestampHeader !== undefined || (format === "pairs" && timestampPart !== undefined)),
      { path: ["content"], error: "must contain {timestamp} exactly when a header or part for the time is set" },
    ),
    z.refine(({ format, timestampPart }) => timestampPart === undefined || format === "pairs", {
      path: ["timestampPart"],
      error: "is only used with the format pairs",
    }),
    z.refine(({ content, idHeader }) => content.includes("{id}") === (idHeader !== undefined), {
      path: ["content"],
      error: "must contain {id} exactly when idHeader is set",
    }),
    z.refine(({ content, toleranceSeconds }) => toleranceSeconds === null || content.includes("{timestamp}"), {
      path: ["toleranceSeconds"],
      error: "requires {timestamp} in content: an unsigned time proves nothing",
    }),
    z.refine(({ content }) => !/\}\{/.test(content.replace("{url}{body}", "{body}")), {
      path: ["content"],
      error: "must separate its placeholders with text, such as {timestamp}.{body}",
    }),
  );
export type HmacSettings = z.infer<typeof hmacSettings>;

/** A secret that is sent along in a header. */
export const tokenSettings = z.strictObject({ header: z._default(headerName, "authorization"), prefix: z._default(text(20), "") });
export type TokenSettings = z.infer<typeof tokenSettings>;

/** The networks that may send. */
export const networkSettings = z.strictObject({
  networks: z.array(text(50)).check(z.minLength(1, "must list at least one network, such as 10.0.0.0/8"), z.maxLength(50)),
});
export type NetworkSettings = z.infer<typeof networkSettings>;

/** The topics of Amazon SNS whose messages are taken, and whose subscriptions are confirmed. */
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
};

/** Settings of the templates `sns`, `hmac`, `token` and `network`, given by the person who adds the source; the others need none. */
export const givenSchemeSettings = z.strictObject(given);

/** The same, and of the template `unknown` until when requests are kept to learn from. */
export const schemeSettings = z.strictObject({ ...given, unknown: z.optional(z.strictObject({ until: z.string() })) });
export type SchemeSettings = z.infer<typeof schemeSettings>;

const MAX_PATHS = 5;

/**
 * Place of a value: a path of keys joined by dots in the body, `header:name`, `query:name`, or text with these in
 * braces, such as `{header:x-github-event}.{action}`. `text:words` is these words; `receipt:id` another ID each time.
 */
const valuePath = text(200).check(z.minLength(1));
const valuePaths = z.array(valuePath).check(z.minLength(1), z.maxLength(MAX_PATHS));

/** Places of an event's ID, type, time and data in a request; of several places the first that has a value is used. */
export const eventReading = z.strictObject({
  /** The path of a list in the body (`$`: the body), each of whose entries is an event; the other paths are in the entry. */
  items: z.optional(valuePath),
  /** Left out: the SHA-256 of the body, so that equal bodies are one event. */
  id: z.optional(valuePaths),
  type: valuePaths,
  /** Left out, or not there: the time of receipt. */
  created: z.optional(valuePaths),
  /** A path in the body; left out: the whole body. */
  data: z.optional(valuePath),
});
export type EventReading = z.infer<typeof eventReading>;
