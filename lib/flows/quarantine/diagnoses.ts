import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Diagnosis, DiagnosisCode, QuarantineDiagnoses } from "#lib/contracts/quarantine";
import type { QuarantineCauseFilter } from "#lib/contracts/quarantine-filters";
import { readKept, type SourceReading } from "#lib/platform/read-event";
import { type DiagnosisGroup, listDiagnosisGroups } from "#lib/quarantine/diagnosis-store";
import type { QuarantinedRequest } from "#lib/quarantine/quarantine-store";

export async function readDiagnoses(workspaceId: WorkspaceId, filter: QuarantineCauseFilter): Promise<QuarantineDiagnoses> {
  const groups = await listDiagnosisGroups(workspaceId, filter);
  return { total: groups[0]?.total ?? 0, data: groups.map(groupOf) };
}

const WAITING = { verdict: "Not diagnosed yet.", fix: "The worker diagnoses them within seconds, newest first." };

function groupOf({ diagnosis, firstAt, lastAt, ...group }: DiagnosisGroup): QuarantineDiagnoses["data"][number] {
  const { verdict, fix } = diagnosis ?? WAITING;
  const { total: _, ...rest } = group as typeof group & { total?: number };
  return {
    ...rest,
    title: diagnosisWords(group.code, group.about),
    verdict,
    fix,
    evidence: diagnosis?.evidence ?? [],
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  };
}

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
