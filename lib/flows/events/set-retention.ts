import type * as z from "zod/mini";
import type { Audit } from "#lib/auth/audit/audit";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { retention } from "#lib/contracts/events/retention";
import { findRetention, saveRetention } from "#lib/events/retention/retention-store";

/** Sets how long events are kept. A shorter time deletes events within the hour, for good. */
export async function setRetention(workspaceId: WorkspaceId, days: number, now: Date, audit: Audit): Promise<z.infer<typeof retention>> {
  const before = await saveRetention(workspaceId, days);
  if (before === days) audit.unchanged();
  else {
    const target = { kind: "workspace", id: workspaceId };
    await audit.record({ action: "retention.changed", target, before: { days: before }, after: { days } });
  }
  return findRetention(workspaceId, now);
}
