import type { Actor } from "#lib/auth/actor";
import { findLastVisit } from "#lib/auth/session-store";
import { countChangedSince, listConnections } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Changes, Counts } from "#lib/contracts/overview";
import { countEventsSince } from "#lib/events/volume-store";
import { listStates } from "#lib/forwarding/destination-store";
import { countMovedSince, countOpenIssues } from "#lib/issues/issue-store";
import { countOpenMissingEvents } from "#lib/missing-events/missing-event-store";
import { measureInbox } from "#lib/processing/inbox-store";
import { countQuarantined, countQuarantinedSince } from "#lib/quarantine/quarantine-store";

const DAY_MS = 86_400_000;

/** Counts for the navigation of every page; each number is capped where it is read. */
export async function readCounts(workspaceId: WorkspaceId, now: Date): Promise<Counts> {
  const [inbox, issues, quarantinedToday, quarantined, connections, missingEvents, destinations] = await Promise.all([
    measureInbox(workspaceId),
    countOpenIssues(workspaceId),
    countQuarantinedSince(workspaceId, new Date(now.getTime() - DAY_MS)),
    countQuarantined(workspaceId),
    listConnections(workspaceId, now),
    countOpenMissingEvents(workspaceId),
    listStates(workspaceId),
  ]);
  return {
    pending: inbox.pending,
    openIssues: issues.processing + issues.platform + issues.forwarding + issues.schema,
    quarantinedToday,
    quarantined,
    missingEvents,
    needReconnect: connections.filter(({ state }) => state === "needs_reauthorization").length,
    destinations: destinations.length,
    suspendedDestinations: destinations.filter(({ state }) => state === "suspended").length,
  };
}

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
