import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";

/** Header name (RFC 9110, section 5.1), lowercase. */
const headerName = text(100).check(
  z.toLowerCase(),
  z.regex(/^[!#$%&'*+\-.^_`|~0-9a-z]+$/, "must be the name of a header, such as x-signature"),
);

/** `content` has `{body}` exactly once, and `{timestamp}`, `{id}` and `{url}` before or after it. */
export const hmacSettings = z
  .strictObject({
    header: headerName,
    /** `plain`: the signature alone. `pairs`: `t=…,v1=…`. `list`: `v1,… v1,…`, separated by spaces. */
    format: z._default(z.enum(["plain", "pairs", "list"]), "plain"),
    part: z.optional(text(20)),
    prefix: z._default(text(20), ""),
    algorithm: z._default(z.enum(["sha1", "sha256", "sha512"]), "sha256"),
    encoding: z._default(z.enum(["hex", "base64"]), "hex"),
    /** base64: the secret is decoded, without a leading `whsec_`. */
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
    /** In Unix seconds; `pairs` may use `timestampPart` instead. */
    timestampHeader: z.optional(headerName),
    timestampPart: z.optional(text(20)),
    idHeader: z.optional(headerName),
    /** Largest difference from our clock, in seconds; null for no bound. */
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
};

export const givenSchemeSettings = z.strictObject(given);

/** `until`: requests of an unknown sender are kept to learn from. */
export const schemeSettings = z.strictObject({ ...given, unknown: z.optional(z.strictObject({ until: z.string() })) });
export type SchemeSettings = z.infer<typeof schemeSettings>;

const MAX_PATHS = 5;

/** Dotted path, `header:name`, `query:name` or text with these in braces. `text:words` is constant; `receipt:id` is new each time. */
const valuePath = text(200).check(z.minLength(1));
const valuePaths = z.array(valuePath).check(z.minLength(1), z.maxLength(MAX_PATHS));

/** Of several paths, the first that has a value is used. */
export const eventReading = z.strictObject({
  /** Path of a list in the body (`$`: the body) whose entries are events; the other paths are relative to an entry. */
  items: z.optional(valuePath),
  /** Default: the SHA-256 of the body, so that equal bodies are one event. */
  id: z.optional(valuePaths),
  type: valuePaths,
  /** Default, and if the value is missing: the time of receipt. */
  created: z.optional(valuePaths),
  /** Default: the whole body. */
  data: z.optional(valuePath),
});
export type EventReading = z.infer<typeof eventReading>;
