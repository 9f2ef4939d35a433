import type { DiagnosisCode } from "#lib/contracts/diagnosis";

/** Follows "12 requests". */
const WORDS: Record<DiagnosisCode, string> = {
  header_missing: "without a signature",
  secret_sent: "with the signing secret in place of a signature",
  header_repeated: "with more than one signature",
  prefix: "with a prefix before the signature",
  base64: "with a base64 signature",
  wrong_length: "with a signature of the wrong length",
  not_hex: "with a signature that is not hexadecimal",
  body_cut: "too large to be kept whole",
  verifies: "signed with a secret that is accepted now",
  verifies_reserialized: "signed with a secret that is accepted now, over the re-serialized body",
  secret_trimmed: "signed with almost the right secret",
  secret_decoded: "signed with the secret in decoded form",
  secret_retired: "signed with the retired secret",
  secret_of_another_source: "signed with another source's secret",
  not_keyed: "signed without a secret",
  body_empty: "with an empty body",
  body_changed: "changed in transit",
  no_match: "with a signature that doesn't match",
  other_sender: "from another sender",
  malformed: "with a malformed signature",
  clock: "with a valid signature that was too old",
  url_changed: "signed for another URL",
  network_unknown: "from an unknown network",
  readable: "with a valid signature that can be read as events now",
  malformed_json: "with a valid signature and a body that isn't JSON",
  invalid_envelope: "with a valid signature and an invalid event",
  source_paused: "held because the source was paused",
};

/** Diagnoses whose `about` belongs in the text: without it, two groups would read the same. */
const NAMED: ReadonlySet<DiagnosisCode> = new Set(["secret_retired", "secret_of_another_source", "other_sender", "url_changed"]);

/** Returns, for example, "signed with the retired secret sec_dabe…9xz1". */
export function diagnosisWords(code: DiagnosisCode | null, about: string | null): string {
  if (code === null) return "not diagnosed yet";
  if (about === null || !NAMED.has(code)) return WORDS[code];
  return `${WORDS[code]}${code === "secret_retired" ? "" : ":"} ${about.startsWith("sec_") ? `${about.slice(0, 8)}…${about.slice(-4)}` : about}`;
}
