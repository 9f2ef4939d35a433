import type { QuarantineReason } from "#lib/contracts/quarantine";

/** What each refusal means and what to do about it, in words. */
const WORDS: Record<QuarantineReason, { verdict: string; mend: string }> = {
  signature_missing: {
    verdict: "It came without a signature.",
    mend: "If the platform sent it, look whether a proxy strips the header x-webhook-signature. If not, somebody found the address: nothing to do.",
  },
  signature_malformed: {
    verdict: "Its signature is not 64 hexadecimal digits.",
    mend: "Send the bare hexadecimal digest: no prefix such as sha256=, no base64, no spaces.",
  },
  signature_repeated: { verdict: "It came with more than one signature.", mend: "Send the header x-webhook-signature once." },
  signature_mismatch: {
    verdict: "Its signature does not match the body.",
    mend: "Compare the platform's secret with this source's, and look whether something between changes the body.",
  },
  malformed_json: { verdict: "It is signed rightly, but is not JSON.", mend: "Look at the raw body and ask the platform what it sent." },
  invalid_envelope: {
    verdict: "It is signed rightly, but is not an event: id, type, created or data is missing or of the wrong type.",
    mend: "Look at the raw body. A signed test call of the platform may look like this: then there is nothing to mend.",
  },
};

/** A refusal's verdict and mend. */
export const explainRefusal = (reason: QuarantineReason): { verdict: string; mend: string } => WORDS[reason];
