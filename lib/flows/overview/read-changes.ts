import type { Actor } from "#lib/auth/actor";
import { findLastVisit } from "#lib/auth/sessions/session-store";
import { countChangedSince } from "#lib/connections/connection-history-store";
import type { Changes } from "#lib/contracts/overview";
import { countEventsSince } from "#lib/events/log/statistics-store";
import { countMovedSince } from "#lib/issues/issue-store";
import { countQuarantinedSince } from "#lib/quarantine/quarantine-store";

const NOTHING: Changes = { since: null, events: 0, openedIssues: 0, resolvedIssues: 0, quarantined: 0, connections: 0 };

/** Returns what is new since the person last looked: nothing for an API key, or at the first visit. */
export async function readChanges({ workspaceId, by }: Pick<Actor, "workspaceId" | "by">): Promise<Changes> {
  const since = by.kind === "session" ? await findLastVisit(workspaceId, by.userId) : null;
  if (since === null) return NOTHING;
  const [events, openedIssues, resolvedIssues, quarantined, connections] = await Promise.all([
    countEventsSince(workspaceId, since),
    countMovedSince(workspaceId, "open", since),
    countMovedSince(workspaceId, "resolved", since),
    countQuarantinedSince(workspaceId, since),
    countChangedSince(workspaceId, since),
  ]);
  return { since: since.toISOString(), events, openedIssues, resolvedIssues, quarantined, connections };
}
