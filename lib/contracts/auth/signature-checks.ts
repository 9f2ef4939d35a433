import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";
import { diagnosisCode } from "#lib/contracts/diagnosis";

/** As much of a body as is kept of a quarantined request. Bytes. */
export const CHECKED_BODY_BYTES = 65_536;

const tooLong = { error: `must be at most ${CHECKED_BODY_BYTES} bytes` };
const base64Length = Math.ceil(CHECKED_BODY_BYTES / 3) * 4;

/**
 * `POST /api/v1/signature-checks`: a body, the value of its signature header and a secret. Nothing of it is stored.
 * `bodyBase64` is for bytes that are no text, and takes the place of `body`.
 */
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

/** The receiver's answer to such a request, if the secret were a source's, and the reason. */
export const signatureCheck = z.object({
  verifies: z.boolean(),
  /** The receiver's answer: 200 an event, 202 verified but no event, 401 not verified. */
  status: z.union([z.literal(200), z.literal(202), z.literal(401)]),
  code: diagnosisCode,
  verdict: z.string(),
  fix: z.string(),
  evidence: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The signature that this secret makes of this body: 64 hexadecimal digits. */
  expected: z.string(),
  /** The signature that was read from the header; null where there is none in it. */
  received: z.nullable(z.string()),
});
export type SignatureCheck = z.infer<typeof signatureCheck>;
