import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { RebuildReport, ViewRebuild } from "#lib/contracts/view-rebuilds";
import type { StoredOperation } from "#lib/operations/operation-record";
import { findOperation, listOperations } from "#lib/operations/operation-store";

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
