import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { ViewRebuild } from "#lib/contracts/view-rebuilds";
import { stopOperation } from "#lib/flows/operations/control-operation";
import { insertOperation } from "#lib/operations/operation-store";
import { findRebuild, rebuildOf } from "./read-rebuilds.ts";

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
