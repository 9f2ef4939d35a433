import * as z from "zod/mini";

/** The rungs of the signature diagnosis (lib/platform/diagnosis), from the top; the first that holds is the verdict. */
export const diagnosisCode = z.enum([
  "header_missing",
  "secret_sent",
  "header_repeated",
  "prefix",
  "base64",
  "wrong_length",
  "not_hex",
  "body_cut",
  "verifies",
  "verifies_reserialized",
  "secret_trimmed",
  "secret_decoded",
  "secret_retired",
  "secret_of_another_source",
  "not_keyed",
  "body_empty",
  "body_changed",
  "no_match",
  "other_sender",
  "malformed",
  "clock",
  "url_changed",
  "network_unknown",
]);
export type DiagnosisCode = z.infer<typeof diagnosisCode>;

/** Why a quarantined request did not verify: one verdict, one fix, and the evidence. Never holds a secret or a whole digest of ours. */
export const diagnosis = z.object({
  code: diagnosisCode,
  verdict: z.string(),
  fix: z.string(),
  evidence: z.array(
    z.object({
      label: z.string(),
      value: z.string(),
      /** The beginning of a digest, to be compared with the others of the list; the first is the one that was received. */
      digest: z.optional(z.string()),
    }),
  ),
  /** Releasing it would succeed now: it verifies to the letter with a secret that is valid now, and is an event. */
  verifiesNow: z.boolean(),
});
export type Diagnosis = z.infer<typeof diagnosis>;
