import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/paging";
import type { Failure } from "#lib/contracts/events/events";
import type { IssueFilter } from "#lib/contracts/filters/issue-filters";
import type { Issue } from "#lib/contracts/issues";
import { Cursor } from "#lib/db/cursor";
import { findNames } from "#lib/forwarding/destination-store";
import { actionsIn } from "#lib/issues/issue-state";
import { countByHour, findIssue, listIssues, type StoredIssue } from "#lib/issues/issue-store";
import { titleOfType } from "#lib/platform/event-catalogue";
import { forwardingFailure } from "./forwarding-failure.ts";
import { issueFailure } from "./issue-failure.ts";

const CURSOR = new Cursor("issues", { lastSeenAt: "time", id: "id" });

/** What failed, by kind: the issue that failed last comes first. */
export async function readIssues(
  workspaceId: WorkspaceId,
  filter: IssueFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<Page<Issue>> {
  const after = CURSOR.decode(cursor, filter);
  const rows = await listIssues(workspaceId, filter, limit + 1, after && { at: after.lastSeenAt, id: after.id });
  const data = await issuesOf(workspaceId, rows.slice(0, limit), now);
  return { data, nextCursor: CURSOR.next(rows, limit, filter) };
}

/** One issue; null when the workspace has none of that id. */
export async function readIssue(workspaceId: WorkspaceId, id: string, now = new Date()): Promise<Issue | null> {
  const stored = await findIssue(workspaceId, id);
  if (!stored) return null;
  const [issue] = await issuesOf(workspaceId, [stored], now);
  return issue ?? null;
}

async function issuesOf(workspaceId: WorkspaceId, stored: StoredIssue[], now: Date): Promise<Issue[]> {
  const ids = stored.map(({ id }) => id);
  const destinations = stored.filter(({ origin }) => origin === "forwarding").map(({ place }) => place);
  const [hours, names] = await Promise.all([
    countByHour(workspaceId, ids, now),
    destinations.length === 0 ? new Map<string, string>() : findNames(workspaceId, destinations),
  ]);
  return stored.map(({ words, stateAt, firstSeenAt, lastSeenAt, ...row }) => ({
    ...row,
    title: row.origin === "forwarding" ? nameOf(row, names) : titleOfType(row.type),
    stateAt: stateAt.toISOString(),
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    failure: explain(row, words, names),
    lastDay: hours.get(row.id) ?? [],
    actions: actionsIn(row.state),
  }));
}

const nameOf = ({ place }: Pick<StoredIssue, "place">, names: Map<string, string>): string => names.get(place) ?? "A deleted destination";

const explain = (row: Pick<StoredIssue, "origin" | "code" | "type" | "place">, words: string, names: Map<string, string>): Failure =>
  row.origin === "forwarding" ? forwardingFailure(row.code, nameOf(row, names), words) : issueFailure({ ...row, words });
