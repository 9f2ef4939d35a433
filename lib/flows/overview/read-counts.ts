import { listConnections } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Counts } from "#lib/contracts/overview";
import { listStates } from "#lib/forwarding/destination-store";
import { countOpenIssues } from "#lib/issues/issue-store";
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
    openIssues: issues.processing + issues.platform + issues.forwarding,
    quarantinedToday,
    quarantined,
    missingEvents,
    needReconnect: connections.filter(({ state }) => state === "needs_reauthorization").length,
    destinations: destinations.length,
    suspendedDestinations: destinations.filter(({ state }) => state === "suspended").length,
  };
}
