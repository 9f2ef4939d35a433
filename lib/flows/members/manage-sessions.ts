import type { Audit } from "#lib/auth/audit/audit";
import type { Person } from "#lib/auth/members/person";
import { endOwnSessions, enterWorkspace } from "#lib/auth/sessions/rotation-store";
import { noteVisit } from "#lib/auth/sessions/session-store";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";

export const endOtherSessions = (actor: Person, audit: Audit): Promise<number> => endOwnSessions(actor, null, audit);

export async function endSession(actor: Person, publicId: string, audit: Audit): Promise<void> {
  if ((await endOwnSessions(actor, publicId, audit)) === 0)
    throw new AppError("not_found", "There is no session with that ID. It may have ended already.");
}

export const switchWorkspace = (actor: Person, workspaceId: WorkspaceId, audit: Audit): Promise<string> =>
  enterWorkspace(actor, workspaceId, audit);

/** Records a visit of the overview: changes are counted from the visit before. */
export const recordVisit = (workspaceId: WorkspaceId, userId: string, now: Date): Promise<void> => noteVisit(workspaceId, userId, now);
