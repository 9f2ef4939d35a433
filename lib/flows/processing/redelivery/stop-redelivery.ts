import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { abortRedelivery, findRedelivery } from "#lib/processing/redelivery/redelivery-store";

/** Stops what still waits of a re-delivery; what was applied stays. @throws AppError `not_found` */
export async function stopRedelivery(workspaceId: WorkspaceId, id: string, audit: Audit): Promise<void> {
  const stop = await abortRedelivery(workspaceId, id);
  if (stop === null) throw new AppError("not_found", "There is no re-delivery with that ID.");
  if (!stop.changed) return audit.unchanged();
  const progress = await findRedelivery(workspaceId, id);
  const target = { kind: "redelivery", id, name: progress?.name ?? null };
  await audit.record({
    action: "redelivery.stopped",
    target,
    before: { state: stop.before },
    after: { state: "aborted", left: progress?.left },
  });
}
