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
import { listKnownVersions } from "#lib/sources/known-version-store";
import { type Clock, systemClock } from "#lib/time/clock";
import { diagnose } from "./diagnose-quarantined.ts";
import { type DiagnosisContext, KnownSources } from "./diagnosis-context.ts";
import { isLikelyReal } from "./likely-real.ts";

/** A round begins this long after the one before. Milliseconds. */
export const DIAGNOSE_ROUND_MS = 1000;
/** Most time for the diagnoses of a round, of all workspaces together: a flood takes a fifth of a core and no more. Milliseconds. */
const SPEND_MS = 200;
/** Requests read at once of a source. */
const A_READ = 50;

type Options = { clock?: Clock; spendMs?: number };
/** `changed`: those that were diagnosed before, too. */
type Work = QuarantiningSource & { changed: boolean };

/**
 * Makes the loop's round: diagnoses what came since, newest first, and what was diagnosed with secrets, a scheme or a
 * mapping that have changed. Each workspace has an equal share of a round, and within it each source.
 */
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

/** The sources with something to diagnose: new requests, or all of them after a change. */
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

/** @returns whether nothing is left of its sources */
async function diagnoseWorkspace(workspaceId: WorkspaceId, sources: Work[], spendMs: number, clock: Clock): Promise<boolean> {
  const end = clock.elapsed() + spendMs;
  let known: KnownSources | undefined;
  let done = true;
  for (const [index, source] of sources.entries()) {
    const left = end - clock.elapsed();
    if (left <= 0) return false;
    // Most sources of a workspace that changed have nothing in quarantine: no secret is opened for them.
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

/** @returns whether nothing is left of it */
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

/** One request that can't be looked at must not keep the others from it, so it counts as looked at. */
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
