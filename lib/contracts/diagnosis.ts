import * as z from "zod/mini";
import { DIAGNOSIS_CODES } from "./filters/quarantine-filters.ts";

export const diagnosisCode = z.enum(DIAGNOSIS_CODES);
export type { DiagnosisCode } from "./filters/quarantine-filters.ts";

/** Never holds a secret or a whole digest of ours. */
export const diagnosis = z.object({
  code: diagnosisCode,
  /** Tells requests with one code apart: the secret's ID, the other sender, the signed URL. */
  about: z.nullable(z.string()),
  verdict: z.string(),
  fix: z.string(),
  evidence: z.array(
    z.object({
      label: z.string(),
      value: z.string(),
      /** The beginning of a digest, to compare with the list's first, which was received. */
      digest: z.optional(z.string()),
    }),
  ),
  /** Releasing it would succeed now: it verified on receipt or verifies with a valid secret, and is an event. */
  verifiesNow: z.boolean(),
});
export type Diagnosis = z.infer<typeof diagnosis>;
