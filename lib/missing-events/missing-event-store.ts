import type pg from "pg";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import { MISSING_EVENT_FILTERS, type MissingEventFilter } from "#lib/contracts/missing-event-filters";
import {
  type MissingEvent,
  type MissingEventResource,
  type MissingEventRestorationFilter,
  type MissingEventRule,
  type MissingEventState,
  missingEvent,
  type OpenMissingEventFilter,
  RESOURCE_KINDS,
} from "#lib/contracts/missing-events";
import { countCapped } from "#lib/db/bounded-query";
import { answered, arraysOf, column, columnsSql, type RowOf } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { pool } from "#lib/db/pool";
import { countChanged, queryRows, queryValues } from "#lib/db/rows";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/sql";
import type { RuleResult } from "./rules.ts";
import type { Picture } from "./watch-store.ts";

const ROW = {
  id: column<string>(),
  rule: column<MissingEventRule>(),
  resourceKind: column<MissingEventResource["kind"]>(),
  resourceId: column<string>(),
  state: column<MissingEventState>(),
  evidence: column<string[]>(),
  detail: column<string>(),
  since: column<Date>(),
  openedAt: column<Date | null>(),
  closedAt: column<Date | null>(),
  dismissedAt: column<Date | null>(),
  dismissedBy: column<string | null>(),
  snoozedBy: column<string | null>(),
  snoozedUntil: column<Date | null>(),
};

type MissingEventRow = RowOf<typeof ROW>;

const MISSING_EVENT_COLUMNS = columnsSql(ROW);

function toMissingEvent(row: MissingEventRow): MissingEvent {
  const { what, why, fix } = ruleLabels(row.rule);
  const resource = { kind: row.resourceKind, id: row.resourceId };
  return answered(missingEvent, { ...row, suspected: true, resource, what, why: row.detail === "" ? why : `${why} ${row.detail}`, fix });
}

const REASONS: Record<MissingEventRule, { why: string; fix: string }> = {
  completed_never_created: {
    why: "task.completed arrived more than 5 minutes ago, and no task.created has arrived for this task.",
    fix: "Find the missing event in the platform's webhook log and send it again from there.",
  },
  processed_never_uploaded: {
    why: "Processing ended more than 5 minutes ago, and no document.uploaded has arrived for this document.",
    fix: "Find the missing event in the platform's webhook log and send it again from there.",
  },
  run_without_end: {
    why: "automation.triggered arrived more than 30 minutes ago, and neither automation.completed nor automation.error has followed.",
    fix: "Check on the platform whether the run is still active. If it has ended, send its last event again from there.",
  },
  stage_never_entered: {
    why: "pipeline.stage_changed names a previous stage, and no event moved the task to that stage.",
    fix: "An earlier move is missing. Send this task's events again from the platform.",
  },
  disconnected_yet_working: {
    why: "integration.disconnected arrived, but the platform renewed access afterwards.",
    fix: "To end access, disconnect the connection in Signalbox. If it was connected again, integration.connected is missing.",
  },
  source_silent: {
    why: "It has sent nothing for much longer than its usual pauses, at an hour when it is usually active.",
    fix: "Check on the platform whether its webhooks are disabled or failing, and send a test event.",
  },
};

export const ruleLabels = (rule: MissingEventRule) => ({ what: MISSING_EVENT_FILTERS.rule.choices[rule], ...REASONS[rule] });

export type WorkspaceRuleResult = RuleResult & { workspaceId: WorkspaceId };

/** Shortest wait before a candidate is shown, whatever the platform's clock says: its event may still arrive. Milliseconds. */
const SETTLE_MS = 15_000;
const MAX_OPENED = 2000;

const KEY = `f.resource_id = u.i AND f.resource_kind IS NOT DISTINCT FROM u.k AND f.rule IS NOT DISTINCT FROM u.r
  AND f.workspace_id IS NOT DISTINCT FROM u.w`;

/** SQL: true if suspected again: after it was closed, or by one more event while snoozed for that or dismissed for fewer stages. */
const AGAIN = `(f.state = 'closed' OR (NOT EXCLUDED.evidence <@ f.evidence
  AND ((f.state = 'snoozed' AND f.snoozed_until IS NULL) OR (f.state = 'dismissed' AND f.rule = 'stage_never_entered'))))`;

/** SQL: true for rules that say how long ago the evidence came: of one that is suspected still, the first counts. */
const STILL = "f.rule IN ('completed_never_created', 'processed_never_uploaded', 'run_without_end')";

const keysOf = (results: WorkspaceRuleResult[]) =>
  arraysOf(
    results.map(({ workspaceId, rule, resource }) => ({ workspaceId, ...resource, rule })),
    "workspaceId",
    "kind",
    "id",
    "rule",
  );

/** Saves candidates as waiting. An existing one keeps its state, unless it is suspected again. */
export async function saveCandidates(client: pg.ClientBase, results: WorkspaceRuleResult[], now: Date): Promise<void> {
  const rows = results.flatMap((each) => (each.candidate ? [{ ...each, candidate: each.candidate }] : []));
  if (rows.length === 0) return;
  const found = rows.map(({ candidate }) => {
    const since = Math.min(now.getTime(), Math.max(0, candidate.since || now.getTime()));
    const due = Math.max(since + candidate.patienceMs, now.getTime() + SETTLE_MS);
    const evidence = candidate.evidence.join("\u001f");
    return { id: newId("fnd"), evidence, detail: candidate.detail, since: new Date(since), due: new Date(due) };
  });
  await client.query(
    `INSERT INTO missing_events AS f (workspace_id, resource_kind, resource_id, rule, id, state, evidence, detail, since, due_at)
     SELECT w, k, i, r, id, 'waiting', string_to_array(evidence, E'\\x1f'), detail, since, due
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[])
         AS u(w, k, i, r, id, evidence, detail, since, due)
     ON CONFLICT (resource_id, resource_kind, rule, workspace_id) DO UPDATE
       SET evidence = EXCLUDED.evidence, detail = EXCLUDED.detail,
           since = CASE WHEN ${STILL} AND NOT ${AGAIN} THEN least(f.since, EXCLUDED.since) ELSE EXCLUDED.since END,
           due_at = CASE WHEN ${AGAIN} THEN EXCLUDED.due_at ELSE f.due_at END,
           state = CASE WHEN ${AGAIN} THEN 'waiting' ELSE f.state END,
           dismissed_at = CASE WHEN ${AGAIN} THEN NULL ELSE f.dismissed_at END,
           dismissed_by = CASE WHEN ${AGAIN} THEN NULL ELSE f.dismissed_by END`,
    [...keysOf(rows), ...arraysOf(found, "id", "evidence", "detail", "since", "due")],
  );
}

/** Closes those no longer suspected, and deletes those that were never shown. Returns the workspaces that had some to show. */
export async function closeMissingEvents(client: pg.ClientBase, results: WorkspaceRuleResult[], now: Date): Promise<WorkspaceId[]> {
  const clear = results.filter(({ candidate }) => candidate === null);
  if (clear.length === 0) return [];
  const columns = keysOf(clear);
  const keys = "unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS u(w, k, i, r)";
  await client.query(`DELETE FROM missing_events f USING ${keys} WHERE ${KEY} AND f.state = 'waiting' AND f.opened_at IS NULL`, columns);
  const { rows } = await client.query<{ workspace_id: WorkspaceId }>(
    `UPDATE missing_events f SET state = 'closed', closed_at = $5 FROM ${keys} WHERE ${KEY} AND f.state <> 'closed' RETURNING f.workspace_id`,
    [...columns, now],
  );
  return [...new Set(rows.map((row) => row.workspace_id))];
}

/** Clock differences between machines, in milliseconds. */
const CLOCKS_MS = 15_000;

/** Opens those due at a picture's moment; where an event waited, those due before its receipt: it may be the missing one. */
export async function openDueMissingEvents(
  client: pg.ClientBase,
  { at, waiting }: Picture,
  without: MissingEventRule[],
): Promise<WorkspaceId[]> {
  const { rows } = await client.query<{ workspace_id: WorkspaceId }>(
    `WITH due AS (SELECT id FROM missing_events m LEFT JOIN jsonb_each_text($2) w ON w.key = m.workspace_id
       WHERE m.state IN ('waiting', 'snoozed') AND m.due_at <= $1::timestamptz AND m.rule <> ALL($3)
         AND (w.value IS NULL OR m.due_at <= w.value::timestamptz - make_interval(secs => ${CLOCKS_MS / 1000}))
       ORDER BY m.due_at LIMIT ${MAX_OPENED})
     UPDATE missing_events f SET state = 'open', opened_at = $1::timestamptz, closed_at = NULL, snoozed_by = NULL, snoozed_until = NULL FROM due WHERE f.id = due.id RETURNING f.workspace_id`,
    [at, JSON.stringify(waiting), without],
  );
  return [...new Set(rows.map((row) => row.workspace_id))];
}

/** Lists suspected resources of all workspaces, for rules that check all of their few resources each time. */
export async function listSuspected(client: pg.ClientBase, rules: MissingEventRule[]): Promise<WorkspaceRuleResult[]> {
  const { rows } = await client.query<{ workspaceId: WorkspaceId; rule: MissingEventRule; kind: MissingEventResource["kind"]; id: string }>(
    `SELECT workspace_id AS "workspaceId", rule, resource_kind AS kind, resource_id AS id FROM missing_events
      WHERE state IN ('waiting', 'open', 'dismissed', 'snoozed') AND rule = ANY($1) LIMIT 10000`,
    [rules],
  );
  return rows.map(({ workspaceId, rule, kind, id }) => ({ workspaceId, rule, resource: { kind, id }, candidate: null }));
}

const CURSOR = new Cursor("missing_events", { since: "time", id: "id" });

const KIND = new RegExp(`^(${RESOURCE_KINDS.join("|")}):(.+)$`, "s");

/** `document:doc_1`, or `doc_1` alone, which may have a colon in it, too. */
function resourceCondition(resource: string, bind: (value: unknown) => string): string {
  const [, kind, id] = KIND.exec(resource) ?? [];
  return kind === undefined ? `resource_id = ${bind(resource)}` : `resource_kind = ${bind(kind)} AND resource_id = ${bind(id)}`;
}

/** Matches the source of the evidence, or the silent source itself. */
const sourceCondition = (name: string, bind: (value: unknown) => string): string =>
  `EXISTS (SELECT 1 FROM sources s WHERE s.workspace_id = missing_events.workspace_id AND s.name = ${bind(name)}
     AND (resource_kind = 'source' AND resource_id = s.id
       OR EXISTS (SELECT 1 FROM event_keys k WHERE k.source_id = s.id AND k.event_id = ANY(evidence))))`;

const CONDITIONS: FilterConditions<MissingEventFilter> = {
  state: (state, bind) => `state = ${bind(state)}`,
  rule: (rule, bind) => `rule = ${bind(rule)}`,
  source: sourceCondition,
  resource: resourceCondition,
};

/** Lists missing events that match, newest first; without a state the open ones. */
export async function listMissingEvents(
  workspaceId: WorkspaceId,
  { state = "open", ...others }: MissingEventFilter,
  { limit, cursor }: Paging,
): Promise<Page<MissingEvent>> {
  const filter = { state, ...others };
  const after = CURSOR.decode(cursor, filter);
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["workspace_id = $1", ...conditionsOf(CONDITIONS, filter, bind)];
  if (after) {
    const since = bind(after.since);
    where.push(`since <= ${since} AND (since < ${since} OR id > ${bind(after.id)})`);
  }
  const { rows } = await pool().query<MissingEventRow>(
    `SELECT ${MISSING_EVENT_COLUMNS} FROM missing_events WHERE ${where.join(" AND ")} ORDER BY since DESC, id LIMIT ${bind(limit + 1)}`,
    values,
  );
  return { data: rows.slice(0, limit).map(toMissingEvent), nextCursor: CURSOR.next(rows, limit, filter) };
}

export async function countOpenMissingEvents(workspaceId: WorkspaceId): Promise<number> {
  return countCapped("SELECT 1 FROM missing_events WHERE workspace_id = $1 AND state = 'open'", [workspaceId]);
}

/** Dismisses an open missing event until its event comes. Null when the workspace has none of that ID. */
export async function dismissMissingEvent(
  workspaceId: WorkspaceId,
  id: string,
  by: string,
  now: Date,
): Promise<{ missingEvent: MissingEvent; dismissed: boolean } | null> {
  const { rowCount } = await pool().query(
    "UPDATE missing_events SET state = 'dismissed', dismissed_at = $4, dismissed_by = $3 WHERE workspace_id = $1 AND id = $2 AND state = 'open'",
    [workspaceId, id, by, now],
  );
  const { rows } = await pool().query<MissingEventRow>(
    `SELECT ${MISSING_EVENT_COLUMNS} FROM missing_events WHERE workspace_id = $1 AND id = $2 AND state <> 'waiting'`,
    [workspaceId, id],
  );
  return rows[0] ? { missingEvent: toMissingEvent(rows[0]), dismissed: rowCount === 1 } : null;
}

type SilentSource = { workspaceId: WorkspaceId; sourceId: string; detail: string };

export const listSilentSources = (): Promise<SilentSource[]> =>
  queryRows<SilentSource>(
    pool(),
    `SELECT workspace_id AS "workspaceId", resource_id AS "sourceId", detail FROM missing_events
     WHERE state = 'open' AND rule = 'source_silent' ORDER BY opened_at LIMIT 1000`,
  );

export const listSilentSourcesOf = (workspaceId: WorkspaceId): Promise<string[]> =>
  queryValues<{ id: string }>(
    pool(),
    `SELECT resource_id AS id FROM missing_events WHERE workspace_id = $1 AND state = 'open' AND rule = 'source_silent' LIMIT 100`,
    [workspaceId],
  );

export type Evidence = { id: string; workspaceId: WorkspaceId; evidence: string[] };

/** Locks the next missing events of all workspaces that are not closed, in the order of their IDs. */
export const listEvidence = (client: pg.ClientBase, after: string, limit: number): Promise<Evidence[]> =>
  queryRows<Evidence>(
    client,
    `SELECT id, workspace_id AS "workspaceId", evidence FROM missing_events
     WHERE id > $1 AND state <> 'closed' ORDER BY id LIMIT $2 FOR UPDATE`,
    [after, limit],
  );

const GONE = "The events that it was based on have been deleted by the retention policy.";

/** Replaces evidence. Without any left, closes the missing event, or deletes it if it was never shown. */
export async function keepEvidence(client: pg.ClientBase, changed: Evidence[]): Promise<void> {
  if (changed.length === 0) return;
  const none = changed.filter(({ evidence }) => evidence.length === 0).map(({ id }) => id);
  await client.query("DELETE FROM missing_events WHERE id = ANY($1::text[]) AND state = 'waiting' AND opened_at IS NULL", [none]);
  await client.query(
    "UPDATE missing_events SET state = 'closed', closed_at = now(), evidence = '{}', detail = $2 WHERE id = ANY($1::text[])",
    [none, GONE],
  );
  for (const { id, evidence } of changed)
    if (evidence.length > 0) await client.query("UPDATE missing_events SET evidence = $2 WHERE id = $1", [id, evidence]);
}

const idsCondition = (ids: string[], bind: (value: unknown) => string) => `id = ANY(${bind(ids)}::text[])`;

const OPEN: FilterConditions<OpenMissingEventFilter> = {
  ids: idsCondition,
  rule: (rule, bind) => `rule = ${bind(rule)}`,
  source: sourceCondition,
  resource: resourceCondition,
};

const RESTORED: FilterConditions<MissingEventRestorationFilter> = {
  ids: idsCondition,
  dismissal: (id, bind) => `dismissal_id = ${bind(id)}`,
};

type RuleCount = { rule: MissingEventRule; count: number; firstAt: Date; lastAt: Date };

export const countByRule = (workspaceId: WorkspaceId): Promise<RuleCount[]> =>
  queryRows<RuleCount>(
    pool(),
    `SELECT rule, count(*) AS count, min(since) AS "firstAt", max(since) AS "lastAt"
       FROM missing_events WHERE workspace_id = $1 AND state = 'open' GROUP BY rule ORDER BY count(*) DESC, rule`,
    [workspaceId],
  );

type SetAside = { dismissal: string; by: string; now: Date };

export async function markDismissed(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  filter: OpenMissingEventFilter,
  { dismissal, by, now }: SetAside,
): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId, dismissal, by, now);
  const where = ["workspace_id = $1", "state = 'open'", ...conditionsOf(OPEN, filter, bind)];
  return countChanged(
    client,
    `UPDATE missing_events SET state = 'dismissed', dismissal_id = $2, dismissed_by = $3, dismissed_at = $4 WHERE ${where.join(" AND ")}`,
    values,
  );
}

/** @param until null: until they happen again */
export async function markSnoozed(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  filter: OpenMissingEventFilter,
  { dismissal, by, until }: Omit<SetAside, "now"> & { until: Date | null },
): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId, dismissal, by, until);
  const where = ["workspace_id = $1", "state = 'open'", ...conditionsOf(OPEN, filter, bind)];
  return countChanged(
    client,
    `UPDATE missing_events SET state = 'snoozed', dismissal_id = $2, snoozed_by = $3, snoozed_until = $4::timestamptz,
            due_at = coalesce($4::timestamptz, 'infinity') WHERE ${where.join(" AND ")}`,
    values,
  );
}

export async function markRestored(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  filter: MissingEventRestorationFilter,
): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["workspace_id = $1", "state IN ('dismissed', 'snoozed')", ...conditionsOf(RESTORED, filter, bind)];
  return countChanged(
    client,
    `UPDATE missing_events SET state = 'open', dismissal_id = NULL, dismissed_by = NULL, dismissed_at = NULL, snoozed_by = NULL, snoozed_until = NULL
      WHERE ${where.join(" AND ")}`,
    values,
  );
}
