import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";

/** `header:name`, `query:name`, or a path in a JSON body, such as `payload.plainToken` or `0.data.validationCode`. */
const requestPlace = text(200).check(
  z.regex(
    /^(header:[!#$%&'*+\-.^_`|~0-9a-z]+|query:[A-Za-z0-9_.~-]+|(?!header:|query:)[^\s.{}][^{}]*)$/,
    "must be header:name, query:name or a path in the body, such as payload.token",
  ),
);

/** All conditions hold. `equals`: this text; `empty`: a list without entries; neither: the place has a value. */
const condition = z
  .strictObject({ place: requestPlace, equals: z.optional(text(200)), empty: z.optional(z.literal(true)) })
  .check(
    z.refine(({ equals, empty }) => equals === undefined || empty === undefined, { path: ["empty"], error: "can't be set beside equals" }),
  );

/** `{value}`: what `take` found; `{hmac}`: its HMAC. Any other text stays as it is. */
const answerText = text(500).check(
  z.refine(
    (words) => (words.match(/\{[a-z]+\}/g) ?? []).every((name) => name === "{value}" || name === "{hmac}"),
    "can only contain {value} and {hmac}",
  ),
);

/** No header that a browser or proxy acts upon. */
const answerHeader = text(100).check(
  z.toLowerCase(),
  z.regex(
    /^(x-(?!frame|content|xss|dns|permitted|accel|sendfile|robots|forwarded|real-ip)|webhook-)[a-z0-9-]+$/,
    "must begin with x- or webhook-",
  ),
);

/** Without `text` and `json` the body is empty. */
const reply = {
  status: z.optional(z.union([z.literal(200), z.literal(202), z.literal(204)])),
  headers: z.optional(z.record(answerHeader, answerText)),
  /** A field may be a number, as Discord wants one. */
  json: z.optional(z.record(text(100), z.union([answerText, z.int()]))),
  text: z.optional(answerText),
};

type Reply = {
  json?: Record<string, string | number> | undefined;
  text?: string | undefined;
  headers?: Record<string, string> | undefined;
};
const wordsOf = ({ json, text: words, headers }: Reply): string =>
  [words ?? "", ...Object.values(json ?? {}), ...Object.values(headers ?? {})].join(" ");

/**
 * What a sender asks before it sends, and its answer. Nothing of it is kept.
 * `signed`: a POST that is signed like its events. The other questions come without proof, so `hmac` signs only plain tokens.
 */
export const challengeSettings = z
  .strictObject({
    asked: z.enum(["get", "head", "options", "post", "signed"]),
    when: z.optional(z.array(condition).check(z.maxLength(5))),
    /** Place of the verify token that Signalbox shows with the source; without the right one there is no answer. */
    verifyToken: z.optional(requestPlace),
    /** Place of the text that is answered. The request is no challenge without it. */
    take: z.optional(requestPlace),
    /** Longest text that is answered. */
    maxLength: z._default(z.int().check(z.minimum(1), z.maximum(1024)), 256),
    hmac: z.optional(z.strictObject({ algorithm: z.enum(["sha1", "sha256", "sha512"]), encoding: z.enum(["hex", "base64"]) })),
    /** It is a challenge only while the source waits for its secret. `secret`: the place that brings it. */
    learning: z.optional(z.strictObject({ secret: z.optional(requestPlace) })),
    answer: z.strictObject(reply),
  })
  .check(
    z.refine(({ answer }) => answer.text === undefined || answer.json === undefined, {
      path: ["answer", "text"],
      error: "can't be set beside json",
    }),
    z.refine(({ answer, take }) => take !== undefined || !/\{(value|hmac)\}/.test(wordsOf(answer)), {
      path: ["take"],
      error: "is required where the answer contains {value} or {hmac}",
    }),
    z.refine(({ answer, hmac }) => wordsOf(answer).includes("{hmac}") === (hmac !== undefined), {
      path: ["hmac"],
      error: "must be set exactly when the answer contains {hmac}",
    }),
    z.refine(
      ({ asked, when, take, learning }) =>
        !/^(post|signed)$/.test(asked) || [when?.[0], take, learning?.secret].some((each) => each !== undefined),
      { path: ["when"], error: "a challenge by POST needs a condition, or every event would be one" },
    ),
    z.refine(({ asked, learning }) => learning === undefined || asked === "post", {
      path: ["learning"],
      error: "needs a challenge asked by post",
    }),
  );
export type ChallengeSettings = z.infer<typeof challengeSettings>;
/** As it is written: defaults may be left out. */
export type GivenChallenge = z.input<typeof challengeSettings>;

/** Answer to each event that is taken, for senders that look for a text or an echo in it. `xml` has nothing of the request in it. */
export const eventAnswer = z.strictObject({ take: z.optional(requestPlace), ...reply, xml: z.optional(text(1000)) }).check(
  z.refine(({ text: words, json, xml }) => [words, json, xml].filter((each) => each !== undefined).length <= 1, {
    path: ["text"],
    error: "can't be set beside json or xml",
  }),
  z.refine((answer) => !wordsOf(answer).includes("{hmac}"), { path: ["text"], error: "can only contain {value}" }),
  z.refine(({ take, ...answer }) => take !== undefined || !wordsOf(answer).includes("{value}"), {
    path: ["take"],
    error: "is required where the answer contains {value}",
  }),
);
export type EventAnswer = z.infer<typeof eventAnswer>;
