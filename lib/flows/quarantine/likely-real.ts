import type { Diagnosis, DiagnosisCode } from "#lib/contracts/diagnosis";
import { readKept } from "#lib/platform/reading/read-event";
import type { SourceReading } from "#lib/platform/reading/source-reading";
import type { QuarantinedRequest } from "#lib/quarantine/quarantine-store";

/** Only who holds a secret of ours, or a webhook that was signed with it, can cause these; and another sender's signature is no scanner's. */
const REAL: ReadonlySet<DiagnosisCode> = new Set([
  "secret_sent",
  "verifies",
  "verifies_reserialized",
  "secret_trimmed",
  "secret_decoded",
  "secret_retired",
  "secret_of_another_source",
  "body_changed",
  "other_sender",
  "clock",
  "url_changed",
  "readable",
  "malformed_json",
  "invalid_envelope",
]);

/** True if the diagnosis alone says that a sender of ours is at the other end. */
export const isProven = (code: DiagnosisCode | null): code is DiagnosisCode => code !== null && REAL.has(code);

/** True if it likely is a sender of ours: the diagnosis says so, or it reads as an event of its source. Not what a person holds. */
export const isLikelyReal = (entry: QuarantinedRequest, { code }: Diagnosis, reading: SourceReading): boolean =>
  isProven(code) || (code !== "source_paused" && readKept(entry, reading).outcome === "events");
