import { setImmediate as nextTurn } from "node:timers/promises";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Diagnosis, DiagnosisCode, QuarantineDiagnoses } from "#lib/contracts/quarantine";
import type { QuarantineCauseFilter } from "#lib/contracts/quarantine-filters";
import { logger } from "#lib/observability/logger";
import { readKept, type SourceReading } from "#lib/platform/read-event";
import {
  aloneInInstallation,
  type DiagnosisGroup,
  type FoundDiagnosis,
  listDiagnosisGroups,
  listToDiagnose,
  listUndiagnosedSources,
  type QuarantiningSource,
  storeDiagnoses,
} from "#lib/quarantine/diagnosis-store";
import type { QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { listKnownVersions } from "#lib/sources/reading-store";
import { type Clock, systemClock } from "#lib/time/clock";
import { type DiagnosisContext, diagnose, KnownSources, type UndecodedAbout } from "./diagnose-quarantined.ts";

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

const UNDECODED_WORDS: Record<UndecodedAbout, string> = {
  WEBHOOK_MAX_BYTES: "with a valid signature and a body that is too large once decoded",
  "content-encoding": "with a valid signature and a body that can't be decoded",
};

/** Diagnoses whose `about` belongs in the text: without it, two groups would read the same. */
const NAMED: ReadonlySet<DiagnosisCode> = new Set(["secret_retired", "secret_of_another_source", "other_sender", "url_changed"]);

/** Returns, for example, "signed with the retired secret sec_dabe…9xz1". */
export function diagnosisWords(code: DiagnosisCode | null, about: string | null): string {
  if (code === null) return "not diagnosed yet";
  if (code === "malformed_json" && about !== null) return UNDECODED_WORDS[about as UndecodedAbout] ?? WORDS[code];
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
const isLikelyReal = (entry: QuarantinedRequest, { code }: Diagnosis, reading: SourceReading): boolean =>
  isProven(code) || (code !== "source_paused" && readKept(entry, reading).outcome === "events");

export const DIAGNOSE_ROUND_MS = 1000;
/** Time for the diagnoses of a round, of all workspaces together: a flood takes a fifth of a core and no more. */
const SPEND_MS = 200;
const A_READ = 50;

type Options = { clock?: Clock; spendMs?: number };
/** `changed`: those that were diagnosed before, too. */
type Work = QuarantiningSource & { changed: boolean };

/** Makes a round that diagnoses new requests, newest first, and those whose secrets, scheme or mapping changed. Workspaces have equal
 * shares of it, and so do the sources of each. */
export function diagnoseRound({ clock = systemClock, spendMs = SPEND_MS }: Options = {}): () => Promise<void> {
  /** By workspace: what all of it was diagnosed with, so that unchanged requests are not looked for in every round. */
  const settled = new Map<WorkspaceId, string>();
  let turn = 0;

  return () =>
    aloneInInstallation(async () => {
      const { works, versions } = await listWork(settled);
      const workspaces = [...Map.groupBy(works, ({ workspaceId }) => workspaceId)];
      turn = workspaces.length === 0 ? 0 : (turn + 1) % workspaces.length;
      const ordered = [...workspaces.slice(turn), ...workspaces.slice(0, turn)];
      const end = clock.elapsed() + spendMs;
      for (const [workspaceId, sources] of ordered) {
        if (clock.elapsed() >= end) return;
        const done = await diagnoseWorkspace(workspaceId, sources, spendMs / workspaces.length, clock);
        const version = versions.get(workspaceId);
        if (done && version !== undefined) settled.set(workspaceId, version);
      }
    });
}

async function listWork(settled: Map<WorkspaceId, string>): Promise<{ works: Work[]; versions: Map<WorkspaceId, string> }> {
  const known = await listKnownVersions();
  const versions = new Map(known.map(({ workspaceId, version }) => [workspaceId, version]));
  for (const workspaceId of settled.keys()) if (!versions.has(workspaceId)) settled.delete(workspaceId);
  const changed = known.filter(({ workspaceId, version }) => settled.get(workspaceId) !== version);
  const again = changed.flatMap(({ workspaceId, sourceIds }) => sourceIds.map((sourceId) => ({ workspaceId, sourceId, changed: true })));
  const whole = new Set(changed.map(({ workspaceId }) => workspaceId));
  const fresh = (await listUndiagnosedSources()).filter(({ workspaceId }) => !whole.has(workspaceId));
  return { works: [...again, ...fresh.map((source) => ({ ...source, changed: false }))], versions };
}

async function diagnoseWorkspace(workspaceId: WorkspaceId, sources: Work[], spendMs: number, clock: Clock): Promise<boolean> {
  const end = clock.elapsed() + spendMs;
  let known: KnownSources | undefined;
  let done = true;
  for (const [index, source] of sources.entries()) {
    const left = end - clock.elapsed();
    if (left <= 0) return false;
    // Most sources of a changed workspace have nothing in quarantine: no secret is opened for them.
    if (source.changed && (await listToDiagnose(source, "", 1)).length === 0) continue;
    known ??= await KnownSources.read(
      workspaceId,
      sources.map(({ sourceId }) => sourceId),
      new Date(clock.now()),
    );
    done = (await diagnoseSource(source, known.of(source.sourceId), left / (sources.length - index), clock)) && done;
  }
  return done;
}

async function diagnoseSource(source: Work, context: DiagnosisContext, shareMs: number, clock: Pick<Clock, "elapsed">): Promise<boolean> {
  const end = clock.elapsed() + shareMs;
  for (;;) {
    const entries = await listToDiagnose(source, source.changed ? context.digest : null, A_READ);
    if (entries.length === 0) return true;
    const found: FoundDiagnosis[] = [];
    for (const entry of entries) {
      found.push(await findOut(entry, context));
      await nextTurn(); // the same process applies events
      if (clock.elapsed() >= end) break;
    }
    const stored = await storeDiagnoses(source.workspaceId, found);
    if (!stored || clock.elapsed() >= end) return false;
  }
}

/** Counts a request that can't be diagnosed as done, so that it doesn't keep the others from it. */
async function findOut(entry: QuarantinedRequest, context: DiagnosisContext): Promise<FoundDiagnosis> {
  const common = { id: entry.id, diagnosedWith: context.digest };
  try {
    const diagnosis = await diagnose(entry, entry.body, context);
    return { ...common, diagnosis, likelyReal: isLikelyReal(entry, diagnosis, context.reading) };
  } catch (error) {
    logger().error({ err: error, requestId: entry.id }, "couldn't diagnose a quarantined request");
    return { ...common, diagnosis: null, likelyReal: true };
  }
}
