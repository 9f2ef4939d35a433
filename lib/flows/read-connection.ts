import { listHistory } from "#lib/connections/connection-history-store";
import { findConnection } from "#lib/connections/connection-store";
import type { ConnectionDetail } from "#lib/contracts/connections";
import type { WorkspaceId } from "#lib/contracts/ids";

/** A connection with its timeline. @returns null for one of another workspace too */
export async function readConnection(workspaceId: WorkspaceId, id: string, now: Date): Promise<ConnectionDetail | null> {
  const found = await findConnection(workspaceId, id, now);
  return found && { ...found, history: await listHistory(workspaceId, id) };
}
