import { type FilterOf, type Filters, IP_VALUE } from "./api/filters.ts";

/** The last three verified (202), the others did not (401). */
export const QUARANTINE_REASONS = [
  "signature_missing",
  "signature_malformed",
  "signature_repeated",
  "signature_mismatch",
  "signature_expired",
  "network_unknown",
  "malformed_json",
  "invalid_envelope",
  "source_paused",
] as const;

/** In two or three words: the first cause that holds (lib/platform/diagnosis), or why it is no event. */
export const DIAGNOSES = {
  header_missing: "No signature",
  secret_sent: "Secret sent",
  header_repeated: "Multiple signatures",
  prefix: "Signature prefix",
  base64: "Base64 signature",
  wrong_length: "Signature length",
  not_hex: "Not hexadecimal",
  body_cut: "Body not kept",
  verifies: "Verifies now",
  verifies_reserialized: "Verifies re-serialized",
  secret_trimmed: "Secret with stray characters",
  secret_decoded: "Secret decoded",
  secret_retired: "Retired secret",
  secret_of_another_source: "Another source's secret",
  not_keyed: "Not an HMAC",
  body_empty: "Empty body",
  body_changed: "Changed body",
  no_match: "No match",
  other_sender: "Another sender",
  malformed: "Malformed signature",
  clock: "Too late",
  url_changed: "Another URL",
  network_unknown: "Unknown network",
  readable: "Readable now",
  malformed_json: "Invalid JSON",
  invalid_envelope: "Invalid event",
  source_paused: "Source paused",
} as const;
export type DiagnosisCode = keyof typeof DIAGNOSES;
export const DIAGNOSIS_CODES = Object.keys(DIAGNOSES) as [DiagnosisCode, ...DiagnosisCode[]];

/** A new filter is an entry here and its SQL in lib/quarantine/quarantine-store.ts: releases and dismissals take it, too. */
export const QUARANTINE_CAUSE_FILTERS = {
  /** Part of its ID, detail, IP address or body; the body by its bytes, case-sensitive. */
  q: { value: { kind: "text", max: 200 }, label: "Search", input: { as: "text", placeholder: "ID, IP address or text of the body" } },
  reason: {
    value: { kind: "choice", values: QUARANTINE_REASONS },
    label: "Reason",
    choices: {
      signature_missing: "No signature",
      signature_malformed: "Malformed signature",
      signature_repeated: "Multiple signatures",
      signature_mismatch: "No match",
      signature_expired: "Old signature",
      network_unknown: "Unknown network",
      malformed_json: "Invalid JSON",
      invalid_envelope: "Invalid event",
      source_paused: "Source paused",
    },
    input: { as: "select", any: "Any reason" },
  },
  diagnosis: { value: { kind: "choice", values: DIAGNOSIS_CODES }, label: "Diagnosis", choices: DIAGNOSES },
  about: { value: { kind: "text", max: 400 }, label: "About" },
  source: { value: { kind: "text", max: 100 }, label: "Source", input: { as: "select", of: "sources", any: "Any source" } },
  ip: { value: IP_VALUE, label: "Received from IP", input: { as: "text", placeholder: "IP or network, e.g. 192.0.2.0/24" } },
  from: { value: { kind: "moment" }, label: "From" },
  to: { value: { kind: "moment" }, label: "To" },
} as const satisfies Filters;
export type QuarantineCauseFilter = FilterOf<typeof QUARANTINE_CAUSE_FILTERS>;

const QUARANTINE_STATES = ["quarantined", "dismissed", "released"] as const;
export type QuarantineState = (typeof QUARANTINE_STATES)[number];

export const QUARANTINE_FILTERS = {
  state: {
    value: { kind: "choice", values: QUARANTINE_STATES },
    label: "State",
    choices: { quarantined: "Quarantined", dismissed: "Dismissed", released: "Released" },
    input: { as: "buttons" },
    fallback: "quarantined",
  },
  ...QUARANTINE_CAUSE_FILTERS,
} as const satisfies Filters;
export type QuarantineFilter = FilterOf<typeof QUARANTINE_FILTERS>;
