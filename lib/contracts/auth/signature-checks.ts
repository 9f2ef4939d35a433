import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";
import { diagnosisCode } from "#lib/contracts/diagnosis";

/** Bytes of a quarantined request's body that are kept. */
export const CHECKED_BODY_BYTES = 65_536;

const tooLong = { error: `must be at most ${CHECKED_BODY_BYTES} bytes` };
const base64Length = Math.ceil(CHECKED_BODY_BYTES / 3) * 4;

/** Nothing of it is stored. `bodyBase64` replaces `body` for bytes that are no text. */
export const signatureCheckBody = z
  .object({
    body: z.optional(
      text(CHECKED_BODY_BYTES).check(z.refine((body) => new TextEncoder().encode(body).length <= CHECKED_BODY_BYTES, tooLong)),
    ),
    bodyBase64: z.optional(z.base64().check(z.maxLength(base64Length))),
    header: z._default(text(4000), ""),
    secret: text(500).check(z.minLength(1)),
  })
  .check(
    z.refine(({ body, bodyBase64 }) => (body === undefined) !== (bodyBase64 === undefined), {
      error: "requires either body or bodyBase64",
    }),
  );
export type SignatureCheckBody = z.input<typeof signatureCheckBody>;

export const signatureCheck = z.object({
  verifies: z.boolean(),
  /** The receiver's answer: 200 an event, 202 verified but no event, 401 not verified. */
  status: z.union([z.literal(200), z.literal(202), z.literal(401)]),
  code: diagnosisCode,
  verdict: z.string(),
  fix: z.string(),
  evidence: z.array(z.object({ label: z.string(), value: z.string() })),
  expected: z.string(),
  received: z.nullable(z.string()),
});
export type SignatureCheck = z.infer<typeof signatureCheck>;
