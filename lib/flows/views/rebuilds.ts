import { randomUUID } from "node:crypto";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { RebuildReport, ViewRebuild } from "#lib/contracts/views";
import { isLockBusy } from "#lib/db/locks";
import { newestKnownMigration } from "#lib/db/migrate";
import { OutcomeUnknown } from "#lib/db/own-connection";
import { firstLineOf } from "#lib/db/unavailable";
import { stopOperation } from "#lib/flows/operations/control-operation";
import { type OperationWork, runClaimed, runQueued } from "#lib/flows/operations/run-operation";
import { logger } from "#lib/observability/logger";
import type { StoredOperation } from "#lib/operations/operation-record";
import { findLastEnd, findOperation, insertOperation, listOperations } from "#lib/operations/operation-store";
import { isOlderWorkerAlive } from "#lib/processing/heartbeat-store";
import { listOutdated } from "#lib/views/fold-version-store";
import { type RebuildOutcome, type RebuildProgress, rebuildViews } from "./rebuild-views.ts";
import { adoptBases } from "./record-bases.ts";

/** Requests a rebuild, or a check that changes nothing; `busy` comes with the one that runs. */
export async function requestRebuild(
  actor: Actor,
  dryRun: boolean,
  audit: Audit,
): Promise<{ outcome: "started" | "busy"; rebuild: ViewRebuild }> {
  const requestedBy = actorName(actor);
  const { outcome, operation } = await insertOperation(actor.workspaceId, { kind: "rebuild", dryRun, requestedBy });
  if (outcome === "busy") audit.unchanged();
  else await audit.record({ action: "rebuild.started", target: { kind: "operation", id: operation.id }, after: { dryRun } });
  return { outcome, rebuild: rebuildOf(operation) };
}

/** Stops a rebuild; the views stay as they were. @throws AppError `not_found` */
export async function stopRebuild(actor: Actor, id: string, audit: Audit): Promise<void> {
  if (!(await findRebuild(actor.workspaceId, id))) throw new AppError("not_found", "There is no rebuild with that ID.");
  await stopOperation(actor, id, audit);
}

/** A worker has other things to do: it rests as long as it works. */
const WORKERS_REST = 1;

export const runRebuilds = (signal: AbortSignal): Promise<void> =>
  runQueued("rebuild", rebuild({ rest: WORKERS_REST }), signal, failureWords);

/** Runs a rebuild here and now, seen and stopped like any other; `busy` when one runs already. */
export async function runRebuildNow(
  workspaceId: WorkspaceId,
  { dryRun, requestedBy, signal, ...options }: { dryRun: boolean; requestedBy: string; signal: AbortSignal } & RunOptions,
): Promise<RebuildOutcome | { outcome: "busy"; rebuild: ViewRebuild }> {
  const runner = randomUUID();
  const { outcome, operation } = await insertOperation(workspaceId, { kind: "rebuild", dryRun, requestedBy, runner });
  if (outcome === "busy") return { outcome, rebuild: rebuildOf(operation) };
  const claimed = { ...operation, workspaceId, done: 0, total: 0, checkpoint: null };
  return runClaimed(claimed, runner, rebuild(options), { signal, failureWords });
}

type RunOptions = { rest: number; onProgress?: (progress: RebuildProgress) => void };

/** Starts from the beginning when claimed again: nothing is written until the last transaction. */
const rebuild =
  ({ rest, onProgress }: RunOptions): OperationWork<RebuildOutcome> =>
  ({ workspaceId, dryRun }, control) =>
    rebuildViews(workspaceId, {
      dryRun,
      signal: control.signal,
      rest,
      beforeWriting: control.expectMine,
      onProgress: (progress) => {
        control.onProgress(progress);
        onProgress?.(progress);
      },
    });

function failureWords(error: unknown): string {
  if (error instanceof OutcomeUnknown)
    return "The connection to the database was lost while the records were being replaced, so the result is unknown. Try again: only records that differ are changed.";
  if (isLockBusy(error))
    return "The workers were too busy to pause for the swap within 10 seconds. The records are unchanged. Try again when traffic is lower.";
  return `It failed: ${firstLineOf(error)}. The records are unchanged. Try again.`;
}

const REQUESTED_BY = "Signalbox (update)";
/** Wait after a rebuild that failed: each reads the whole log. */
const AFTER_FAILURE_MS = 3_600_000;
const WORKER_ALIVE_MS = 20_000;

/** Requests a rebuild where an earlier version made the records. Waits during a rolling update: what older workers apply would stay as they
 * made it. One that a person stopped is not requested again, one that failed an hour later. Returns how many. */
export async function rebuildOutdated(now: Date): Promise<number> {
  let asked = 0;
  await adoptBases(now);
  const outdated = await listOutdated();
  if (outdated.length === 0) return 0;
  if (await isOlderWorkerAlive(newestKnownMigration(), WORKER_ALIVE_MS)) {
    logger().info("this version builds records differently: they are rebuilt once no worker of the version before runs");
    return 0;
  }
  for (const workspaceId of outdated) {
    const last = await findLastEnd(workspaceId, "rebuild", REQUESTED_BY);
    if (last?.state === "stopped" && last.failure === null) continue;
    if (last?.state === "failed" && now.getTime() - last.finishedAt.getTime() < AFTER_FAILURE_MS) continue;
    const { outcome } = await insertOperation(workspaceId, { kind: "rebuild", requestedBy: REQUESTED_BY });
    if (outcome === "busy") continue;
    asked += 1;
    logger().info({ workspaceId }, "this version builds records differently: rebuilding them in the background");
  }
  return asked;
}

const SHOWN = 20;

export const listRebuilds = async (workspaceId: WorkspaceId): Promise<ViewRebuild[]> =>
  (await listOperations(workspaceId, "rebuild", { limit: SHOWN })).data.map(rebuildOf);

export async function findRebuild(workspaceId: WorkspaceId, id: string): Promise<ViewRebuild | null> {
  const found = await findOperation(workspaceId, id);
  return found?.kind === "rebuild" ? rebuildOf(found) : null;
}

export const rebuildOf = ({ state, total, phase, report, dryRun, ...operation }: StoredOperation): ViewRebuild => ({
  id: operation.id,
  state: state === "finished" ? "done" : state,
  dryRun,
  phase: phase as ViewRebuild["phase"],
  done: operation.done,
  total: total ?? 0,
  requestedBy: operation.requestedBy,
  createdAt: operation.createdAt,
  startedAt: operation.startedAt,
  finishedAt: operation.finishedAt,
  failure: operation.failure,
  report: report as RebuildReport | null,
});
