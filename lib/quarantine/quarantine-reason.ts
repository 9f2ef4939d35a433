import type { QuarantineReason } from "#lib/contracts/quarantine";

const WORDS: Record<QuarantineReason, { verdict: string; fix: string }> = {
  signature_missing: {
    verdict: "It has no signature.",
    fix: "If the platform sent it, check whether a proxy strips the header x-webhook-signature. Otherwise it is probably a scanner; safe to ignore.",
  },
  signature_malformed: {
    verdict: "Its signature is not 64 hexadecimal digits.",
    fix: "Send the bare hexadecimal digest: no prefix such as sha256=, no base64, no spaces.",
  },
  signature_repeated: { verdict: "It has more than one signature.", fix: "Send the header x-webhook-signature once." },
  signature_mismatch: {
    verdict: "Its signature does not match the body.",
    fix: "Compare the platform's secret with this source's, and check whether a proxy in between changes the body.",
  },
  signature_expired: {
    verdict: "Its signature is valid, but too old.",
    fix: "Check the sender's clock. If the request was delayed, send it again from there.",
  },
  network_unknown: {
    verdict: "It comes from a network that isn't listed in this source.",
    fix: "If the sender is yours, add its network to the source. Otherwise it is probably a scanner; safe to ignore.",
  },
  malformed_json: { verdict: "Valid signature, but the body is not JSON.", fix: "Inspect the raw body and ask the platform what it sent." },
  invalid_envelope: {
    verdict: "Valid signature, invalid event: id, type, created or data is missing or has the wrong type.",
    fix: "If its fields have other names, map them in Settings > Field mapping, then release it. A signed test call from the platform may look like this; then there is nothing to fix.",
  },
  source_paused: {
    verdict: "It arrived while its source was paused.",
    fix: "Resume the source in Settings > Sources: this releases everything that it held.",
  },
};

export const explainReason = (reason: QuarantineReason): { verdict: string; fix: string } => WORDS[reason];
