import { listConnections } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Counts } from "#lib/contracts/overview";
import { measureInbox } from "#lib/deliveries/inbox-store";
import { countOpenIssues } from "#lib/deliveries/issue-store";
import { countQuarantinedSince } from "#lib/events/quarantine-store";
import { countOpenFindings } from "#lib/findings/finding-store";

const DAY_MS = 86_400_000;

/** What the rail counts on every page: each number is capped where it is read, so that no log is too long for it. */
export async function readCounts(workspaceId: WorkspaceId, now: Date): Promise<Counts> {
  const [inbox, issues, refusedToday, connections, findings] = await Promise.all([
    measureInbox(workspaceId),
    countOpenIssues(workspaceId),
    countQuarantinedSince(workspaceId, new Date(now.getTime() - DAY_MS)),
    listConnections(workspaceId, now),
    countOpenFindings(workspaceId),
  ]);
  return {
    pending: inbox.pending,
    openIssues: issues.processing + issues.platform,
    refusedToday,
    findings,
    needReconnect: connections.filter(({ state }) => state === "needs_reauthorization").length,
  };
}
