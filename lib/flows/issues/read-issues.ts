import type { Actor } from "#lib/auth/actor";
import { findPersonOf } from "#lib/auth/members/member-store";
import { invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { Failure } from "#lib/contracts/events/events";
import type { Issue } from "#lib/contracts/issues";
import type { IssueFilter, IssueSort } from "#lib/contracts/list-filters";
import { Cursor } from "#lib/db/cursor";
import { findSourceNames } from "#lib/events/log/event-lookup-store";
import { findNames } from "#lib/forwarding/destination-store";
import { actionsIn } from "#lib/issues/issue";
import { countByHour, findIssue, listIssues, type StoredIssue } from "#lib/issues/issue-store";
import { titleOfType } from "#lib/platform/event-catalogue";
import { forwardingFailure, issueFailure } from "./explain-issue.ts";

const CURSORS = {
  newest: new Cursor("issues", { lastSeenAt: "time", id: "id" }),
  first_seen: new Cursor("issues", { firstSeenAt: "time", id: "id" }),
  count: new Cursor("issues", { count: "integer", id: "id" }),
} as const;

/** Replaces `me` by the caller. @throws AppError `invalid_request` with an API key that no account made */
export async function issueFilterOf(actor: Actor, filter: IssueFilter): Promise<IssueFilter> {
  if (filter.assignee !== "me") return filter;
  const assignee = await findPersonOf(actor);
  if (assignee === null) throw invalidField("assignee", "Nobody's account made this API key. Name a member's ID in place of `me`.");
  return { ...filter, assignee };
}

export async function readIssues(
  workspaceId: WorkspaceId,
  filter: IssueFilter,
  { limit, cursor, sort = "newest" }: { limit: number; cursor?: string | undefined; sort?: IssueSort },
  now: Date,
): Promise<Page<Issue>> {
  const of = { ...filter, sort };
  const rows = await listIssues(workspaceId, filter, { sort, limit: limit + 1, before: placeOf(sort, cursor, of) });
  const data = await issuesOf(workspaceId, rows.slice(0, limit), now);
  return { data, nextCursor: CURSORS[sort].next(rows, limit, of) };
}

function placeOf(sort: IssueSort, cursor: string | undefined, of: object): { key: Date | number; id: string } | null {
  const after = CURSORS[sort].decode(cursor, of);
  if (!after) return null;
  const { id, ...by } = after;
  const [key] = Object.values(by);
  return key === undefined ? null : { key, id };
}

export async function readIssue(workspaceId: WorkspaceId, id: string, now: Date): Promise<Issue | null> {
  const stored = await findIssue(workspaceId, id);
  if (!stored) return null;
  const [issue] = await issuesOf(workspaceId, [stored], now);
  return issue ?? null;
}

async function issuesOf(workspaceId: WorkspaceId, stored: StoredIssue[], now: Date): Promise<Issue[]> {
  const ids = stored.map(({ id }) => id);
  const destinations = stored.filter(({ origin }) => origin === "forwarding").map(({ place }) => place);
  const [hours, sources, names] = await Promise.all([
    countByHour(workspaceId, ids, now),
    findSourceNames(
      workspaceId,
      stored.map(({ sampleEventId }) => sampleEventId),
    ),
    destinations.length === 0 ? new Map<string, string>() : findNames(workspaceId, destinations),
  ]);
  return stored.map(({ words, stateAt, firstSeenAt, lastSeenAt, ...row }) => ({
    ...row,
    title: row.origin === "forwarding" ? nameOf(row, names) : titleOfType(row.type),
    stateAt: stateAt.toISOString(),
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    source: sources.get(row.sampleEventId) ?? null,
    failure: explain(row, words, names),
    lastDay: hours.get(row.id) ?? [],
    actions: actionsIn(row.state),
  }));
}

const nameOf = ({ place }: Pick<StoredIssue, "place">, names: Map<string, string>): string => names.get(place) ?? "A deleted destination";

const explain = (row: Pick<StoredIssue, "origin" | "code" | "type" | "place">, words: string, names: Map<string, string>): Failure =>
  row.origin === "forwarding" ? forwardingFailure(row.code, nameOf(row, names), words) : issueFailure({ ...row, words });
