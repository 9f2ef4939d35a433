import type { Diagnosis, DiagnosisCode } from "#lib/contracts/diagnosis";
import { readKept } from "#lib/platform/reading/read-event";
import type { SourceReading } from "#lib/platform/reading/source-reading";
import type { QuarantinedRequest } from "#lib/quarantine/quarantine-store";

/** Only who has a secret of ours, or a webhook signed with it, can cause these; and a scanner doesn't sign as another sender. */
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

/** True if the diagnosis alone proves a sender of ours. */
export const isProven = (code: DiagnosisCode | null): code is DiagnosisCode => code !== null && REAL.has(code);

/** True if the diagnosis proves it, or the request reads as an event of its source. False for what a pause holds. */
export const isLikelyReal = (entry: QuarantinedRequest, { code }: Diagnosis, reading: SourceReading): boolean =>
  isProven(code) || (code !== "source_paused" && readKept(entry, reading).outcome === "events");
