import type { Failure } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Issue, IssueFilter } from "#lib/contracts/issues";
import type { Page } from "#lib/contracts/paging";
import { explainFailure } from "#lib/deliveries/failures";
import { actionsIn } from "#lib/deliveries/issue-state";
import { countByHour, findIssue, listIssues, type StoredIssue } from "#lib/deliveries/issue-store";
import { decodeCursor, encodeCursor } from "#lib/events/cursor";
import { describeType } from "#lib/platform/event-catalogue";

/** What failed, by kind: the issue that failed last comes first. */
export async function readIssues(
  workspaceId: WorkspaceId,
  filter: IssueFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<Page<Issue>> {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await listIssues(workspaceId, filter, limit + 1, after && { at: after.at, id: after.tie });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const data = await issuesOf(workspaceId, page, now);
  return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.lastSeenAt, last.id) : null };
}

/** One issue; null when the workspace has none of that id. */
export async function readIssue(workspaceId: WorkspaceId, id: string, now = new Date()): Promise<Issue | null> {
  const stored = await findIssue(workspaceId, id);
  if (!stored) return null;
  const [issue] = await issuesOf(workspaceId, [stored], now);
  return issue ?? null;
}

async function issuesOf(workspaceId: WorkspaceId, stored: StoredIssue[], now: Date): Promise<Issue[]> {
  const hours = await countByHour(
    workspaceId,
    stored.map(({ id }) => id),
    now,
  );
  return stored.map(({ words, stateAt, firstSeenAt, lastSeenAt, ...row }) => ({
    ...row,
    title: describeType(row.type)?.title ?? row.type,
    stateAt: stateAt.toISOString(),
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    failure: row.origin === "processing" ? explainFailure(row.code, words) : platformFailure(row.code, row.type, words),
    lastDay: hours.get(row.id) ?? [],
    actions: actionsIn(row.state),
  }));
}

/** A failure of the platform, in its own words as far as it gave any. */
function platformFailure(code: string, type: string, words: string): Failure {
  const meaning = describeType(type)?.meaning ?? type;
  return {
    code,
    what: words === meaning ? meaning : `${meaning}: ${words}`,
    why: "The platform reports this failure. The webhooks themselves arrived and were applied.",
    mend: MENDS[type] ?? "Mend it on the platform. When it succeeds there, this is resolved by itself.",
  };
}

const MENDS: Record<string, string> = {
  "document.error": "Mend the document on the platform, or upload it again. When it is processed there, this is resolved by itself.",
  "automation.error":
    "Open the automation on the platform and mend the step that fails. When it next completes, this is resolved by itself.",
  "integration.error":
    "Look at the connection here, and at the integration on the platform. When it connects or renews its access, this is resolved by itself.",
};
