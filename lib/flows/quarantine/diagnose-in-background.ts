import { setImmediate as nextTurn } from "node:timers/promises";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { logger } from "#lib/observability/logger";
import {
  aloneInInstallation,
  type FoundDiagnosis,
  listToDiagnose,
  listUndiagnosedSources,
  type QuarantiningSource,
  storeDiagnoses,
} from "#lib/quarantine/diagnosis-store";
import type { QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { listKnownVersions } from "#lib/sources/reading-store";
import { type Clock, systemClock } from "#lib/time/clock";
import { type DiagnosisContext, diagnose, KnownSources } from "./diagnose-quarantined.ts";
import { isLikelyReal } from "./diagnoses.ts";

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
