import { stopReminders } from "#lib/alerts/alert-store";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import type { AuditAction } from "#lib/auth/audit/audit-entry";
import { findPersonOf } from "#lib/auth/members/member-store";
import { isMember } from "#lib/auth/members/user-store";
import { AppError, expectFound, invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import type { Failure } from "#lib/contracts/events/events";
import { attemptOutcome } from "#lib/contracts/forwarding/deliveries";
import type { SuspensionReason } from "#lib/contracts/forwarding/destinations";
import { type IssueFilter, type IssueSort, movedWords } from "#lib/contracts/issue-filters";
import { type Issue, type IssueAction, type IssueOrigin, type IssuesChanged, issue } from "#lib/contracts/issues";
import { answered } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { findSourceNames } from "#lib/events/log/event-lookup-store";
import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { MAX_ATTEMPTS } from "#lib/forwarding/delivery";
import { findStandings, type Standing } from "#lib/forwarding/destination-store";
import { actionsIn } from "#lib/issues/issue";
import { assignIssue, countByHour, findIssue, listIssues, type StoredIssue, changeIssueState as take } from "#lib/issues/issue-store";
import { describeType, titleOfType } from "#lib/platform/event-catalogue";
import { explainFailure } from "#lib/processing/failures";
import { findReadingsByName } from "#lib/sources/reading-store";
import { findMovedIds } from "./root-causes.ts";

const CURSORS = {
  newest: new Cursor("issues", { lastSeenAt: "time", id: "id" }),
  first_seen: new Cursor("issues", { firstSeenAt: "time", id: "id" }),
  count: new Cursor("issues", { count: "integer", id: "id" }),
} as const;

const HOUR_MS = 3_600_000;

/** Returns when the last 24 whole hours began, the present one included. */
const lastDayOf = (now: Date) => new Date((Math.floor(now.getTime() / HOUR_MS) - 23) * HOUR_MS);

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
  { limit, cursor, sort = "newest" }: Paging & { sort?: IssueSort },
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
  if (issue?.code !== "missing_id" || issue.source === null) return issue ?? null;
  const [source] = await findReadingsByName(workspaceId, [issue.source]);
  const [moved] = (await findMovedIds(workspaceId, [{ type: issue.type, sourceId: source?.id ?? "" }])).values();
  const { failure } = issue;
  return moved ? { ...issue, failure: { ...failure, why: `${failure.why} ${movedWords(moved)}.` } } : issue;
}

async function issuesOf(workspaceId: WorkspaceId, stored: StoredIssue[], now: Date): Promise<Issue[]> {
  const ids = stored.map(({ id }) => id);
  const samples = stored.map(({ sampleEventId }) => sampleEventId);
  const destinations = stored.filter(({ origin }) => origin === "forwarding").map(({ place }) => place);
  const [hours, sources, standings] = await Promise.all([
    countByHour(workspaceId, ids, lastDayOf(now), now),
    findSourceNames(workspaceId, samples),
    destinations.length === 0 ? new Map<string, Standing>() : findStandings(workspaceId, destinations),
  ]);
  return stored.map((row) =>
    answered(issue, {
      ...row,
      title: row.origin === "forwarding" ? nameOf(standings.get(row.place)) : titleOfType(row.type),
      source: sources.get(row.sampleEventId) ?? null,
      failure: explain(row, row.words, standings),
      lastDay: hours.get(row.id)?.failed ?? [],
      lastDayRepaired: hours.get(row.id)?.repaired ?? [],
      lastDayFrom: lastDayOf(now),
      actions: actionsIn(row.state),
    }),
  );
}

const nameOf = (standing: Standing | undefined): string => standing?.name ?? "A deleted destination";

const explain = (
  row: Pick<StoredIssue, "origin" | "code" | "type" | "place">,
  words: string,
  standings: ReadonlyMap<string, Standing>,
): Failure =>
  row.origin === "forwarding"
    ? forwardingFailure(row.code, words, standings.get(row.place))
    : row.origin === "schema"
      ? schemaFailure(row.code, row.type, words)
      : issueFailure({ ...row, words });

export const issueFailure = ({ origin, code, type, words }: { origin: IssueOrigin; code: string; type: string; words: string }): Failure =>
  origin === "processing" ? explainFailure(code, words) : platformFailure(code, type, words);

/** Explains a failure of the platform, in its own words as far as it gave any. */
function platformFailure(code: string, type: string, words: string): Failure {
  const meaning = describeType(type)?.meaning ?? type;
  return {
    code,
    what: words === meaning ? meaning : `${meaning}: ${words}`,
    why: "The platform reports this failure. The webhooks themselves arrived and were applied.",
    fix: FIXES[type] ?? "Fix it on the platform. When it succeeds there, this issue is resolved automatically.",
  };
}

const schemaFailure = (code: string, type: string, words: string): Failure => ({
  code,
  what: `${type} has changed: ${words}`,
  why: "The sender's events of this type had another shape until now. They were stored and applied all the same.",
  fix: "Check what reads this field. If this is how it is now, accept it on the event type's page; if not, ask the sender. When the old shape is back for 200 events, this issue is resolved automatically.",
});

const FIXES: Record<string, string> = {
  "document.error":
    "Fix the document on the platform, or upload it again. When it is processed there, this issue is resolved automatically.",
  "automation.error":
    "Open the automation on the platform and fix the failing step. When it next completes, this issue is resolved automatically.",
  "integration.error":
    "Check the connection in Signalbox and the integration on the platform. When it connects or renews its access, this issue is resolved automatically.",
};

/** Explains an issue of a destination. @param words of its last attempt @param standing undefined once it is deleted */
export function forwardingFailure(code: string, words: string, standing: Standing | undefined): Failure {
  const name = nameOf(standing);
  const outcome = attemptOutcome.safeParse(standing?.failed?.code).data;
  const fix = outcome ? fixOf(outcome) : "Fix the application.";
  if (code === "destination_suspended") {
    const reason = standing?.reason ?? "over";
    return {
      code,
      what: `${name} is suspended: ${words}`,
      why: `${REASONS[reason]} Its deliveries are held, and nothing is lost.`,
      fix: reason === "gone" ? fixOf(reason) : `${reason === "over" ? "Fix the application." : fix} ${TRIES[reason]}`,
    };
  }
  // The destination may have failed otherwise since.
  const same = standing?.failed && words.endsWith(standing.failed.text) && outcome !== "filter_too_costly";
  return {
    code,
    what: `Deliveries to ${name} are exhausted: ${words}`,
    why: `Each was attempted ${MAX_ATTEMPTS} times over about three days without a 2xx response.`,
    fix: `${same ? fix : "Fix the application or the filter."} Then send the exhausted deliveries again from the destination's page.`,
  };
}

/** What is known of a suspension, `over` when there is none any more. */
const REASONS: Record<SuspensionReason | "over", string> = {
  failing: "Too many attempts failed.",
  gone: "It answered 410 Gone: nothing is sent until someone resumes it.",
  no_success: "Nothing was delivered for 120 hours.",
  over: "It failed too often, or answered 410 Gone.",
};

const TRIES: Record<Exclude<SuspensionReason, "gone"> | "over", string> = {
  failing: "Signalbox tries again automatically.",
  no_success: "Signalbox tries again automatically.",
  over: "Signalbox tries again automatically, except after a 410: then resume the destination.",
};

const ACTIONS = {
  acknowledge: "issue.acknowledged",
  resolve: "issue.resolved",
  ignore: "issue.ignored",
  reopen: "issue.reopened",
} as const satisfies Record<IssueAction, AuditAction>;

/** @throws AppError `not_found`; `conflict` when its state allows no such step */
export async function changeIssueState({ workspaceId, actor, now, audit }: Context, id: string, action: IssueAction): Promise<Issue> {
  const left = await take(workspaceId, id, action, actorName(actor));
  const issue = await expectFound(readIssue(workspaceId, id, now), "issue with that ID");
  if (left === null)
    throw new AppError("conflict", `The issue is already ${issue.state}: someone else may have changed it. Reload it and try again.`);
  const target = { kind: "issue", id, name: issue.title };
  if (issue.state === "acknowledged") await stopReminders({ workspaceId, rule: "issue", subject: id });
  await audit.record({ action: ACTIONS[action], target, before: { state: left }, after: { state: issue.state } });
  return issue;
}

/** Changes several issues; those that are missing, or whose state allows no such step, stay as they are. */
export const changeIssueStates = (context: Context, ids: string[], action: IssueAction) =>
  eachIssue(context, ids, (id) => changeIssueState(context, id, action));

/** Changes issues one after the other; those with `conflict` or `not_found` count as unchanged. */
export async function eachIssue({ audit }: Context, ids: string[], change: (id: string) => Promise<unknown>): Promise<IssuesChanged> {
  const answer: IssuesChanged = { changed: [], unchanged: [] };
  for (const id of new Set(ids)) {
    try {
      await change(id);
      answer.changed.push(id);
    } catch (error) {
      if (!(error instanceof AppError) || !["conflict", "not_found"].includes(error.code)) throw error;
      answer.unchanged.push(id);
    }
  }
  if (answer.changed.length === 0) audit.unchanged();
  return answer;
}

/** Assigns issues to a member, or to nobody (null). @throws AppError `invalid_request` when the assignee is no member */
export async function assignIssues(context: Context, ids: string[], assignee: string | null) {
  const { workspaceId, now, audit } = context;
  if (assignee !== null && !(await isMember(workspaceId, assignee)))
    throw invalidField("assignee", "No member of this workspace has that ID. Members and their IDs: GET /api/v1/members.");
  return eachIssue(context, ids, async (id) => {
    const before = await assignIssue(workspaceId, id, assignee);
    const found = before === undefined ? null : await readIssue(workspaceId, id, now);
    const issue = await expectFound(found, "issue with that ID, or it has this assignee already");
    const target = { kind: "issue", id, name: issue.title };
    const after = { assignee: issue.assignee?.email ?? null };
    await audit.record({ action: "issue.assigned", target, before: { assignee: before }, after });
  });
}
