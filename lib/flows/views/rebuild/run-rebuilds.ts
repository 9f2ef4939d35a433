import { randomUUID } from "node:crypto";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewRebuild } from "#lib/contracts/view-rebuilds";
import { OutcomeUnknown } from "#lib/db/connection/own-connection";
import { firstLineOf } from "#lib/db/first-line";
import { isLockBusy } from "#lib/db/retry-while-busy";
import { type OperationWork, runClaimed, runQueued } from "#lib/flows/operations/run-operation";
import { insertOperation } from "#lib/operations/operation-store";
import { rebuildOf } from "./read-rebuilds.ts";
import { type RebuildOutcome, type RebuildProgress, rebuildViews } from "./rebuild-views.ts";

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
