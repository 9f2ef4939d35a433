import type { DiagnosisCode } from "#lib/contracts/diagnosis";
import type { QuarantineItem, QuarantineReason } from "#lib/contracts/quarantine";

const GROUPS: Record<DiagnosisCode, string> = {
  header_missing: "No signature",
  secret_sent: "Secret sent",
  header_repeated: "Several signatures",
  prefix: "Wrapped signature",
  base64: "Base64",
  wrong_length: "Wrong length",
  not_hex: "Not hexadecimal",
  body_cut: "Body not kept whole",
  verifies: "Verifies now",
  verifies_reserialized: "Verifies now",
  secret_trimmed: "Secret with stray characters",
  secret_decoded: "Secret decoded",
  secret_retired: "Retired secret",
  secret_of_another_source: "Another source's secret",
  not_keyed: "Not an HMAC",
  body_empty: "Body lost",
  body_changed: "Body changed on the way",
  no_match: "No match",
};

const REASONS: Record<QuarantineReason, string> = {
  signature_missing: "No signature",
  signature_malformed: "Malformed signature",
  signature_repeated: "Several signatures",
  signature_mismatch: "No match",
  malformed_json: "Not JSON",
  invalid_envelope: "Not an event",
};

/** Why the receiver refused it, in two or three words. */
export const reasonWords = (reason: QuarantineReason): string => REASONS[reason];

/** The verdict in two or three words, to group by. */
export function verdictGroup({ diagnosis, reason, admittedAt }: QuarantineItem): string {
  if (admittedAt !== null) return "Admitted";
  return diagnosis ? GROUPS[diagnosis.code] : REASONS[reason];
}
