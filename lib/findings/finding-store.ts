import type pg from "pg";
import { AppError } from "#lib/contracts/app-error";
import type { Finding, FindingQuery, FindingResource, FindingRule } from "#lib/contracts/findings";
import { newId, type WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import { pool } from "#lib/db/pool";
import { type FindingRow, toFinding } from "./finding-record.ts";
import type { Judgement } from "./rules.ts";

/** A rule's word on a resource of a workspace. */
export type Judged = Judgement & { workspaceId: WorkspaceId };

/** A suspicion rests at least this long after we first had it, whatever the platform's clock says: more may be under way. */
const SETTLE_MS = 15_000;
const MOST_OPENED = 2000;

const KEY = `f.resource_id = u.i AND f.resource_kind IS NOT DISTINCT FROM u.k AND f.rule IS NOT DISTINCT FROM u.r
  AND f.workspace_id IS NOT DISTINCT FROM u.w`;

const columnsOf = (judged: Judged[]) => [
  judged.map(({ workspaceId }) => workspaceId),
  judged.map(({ resource }) => resource.kind),
  judged.map(({ resource }) => resource.id),
  judged.map(({ rule }) => rule),
];

/** Puts suspicions on the waiting list. One that stands keeps its state; one that had closed begins anew. */
export async function noteSuspicions(client: pg.ClientBase, judged: Judged[], now: Date): Promise<void> {
  const rows = judged.flatMap((each) => (each.suspicion ? [{ ...each, suspicion: each.suspicion }] : []));
  if (rows.length === 0) return;
  const since = rows.map(({ suspicion }) => Math.min(now.getTime(), Math.max(0, suspicion.since || now.getTime())));
  const due = rows.map(({ suspicion }, index) => Math.max((since[index] ?? 0) + suspicion.patienceMs, now.getTime() + SETTLE_MS));
  await client.query(
    `INSERT INTO findings AS f (workspace_id, resource_kind, resource_id, rule, id, state, evidence, detail, since, due_at)
     SELECT w, k, i, r, id, 'waiting', string_to_array(evidence, E'\\x1f'), detail, since, due
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[])
         AS u(w, k, i, r, id, evidence, detail, since, due)
     ON CONFLICT (resource_id, resource_kind, rule, workspace_id) DO UPDATE
       SET evidence = EXCLUDED.evidence, detail = EXCLUDED.detail, since = EXCLUDED.since,
           due_at = CASE WHEN f.state = 'closed' THEN EXCLUDED.due_at ELSE f.due_at END,
           state = CASE WHEN f.state = 'closed' THEN 'waiting' ELSE f.state END,
           dismissed_at = CASE WHEN f.state = 'closed' THEN NULL ELSE f.dismissed_at END,
           dismissed_by = CASE WHEN f.state = 'closed' THEN NULL ELSE f.dismissed_by END`,
    [
      ...columnsOf(rows),
      rows.map(() => newId("fnd")),
      rows.map(({ suspicion }) => suspicion.evidence.join("\u001f")),
      rows.map(({ suspicion }) => suspicion.detail),
      since.map((at) => new Date(at).toISOString()),
      due.map((at) => new Date(at).toISOString()),
    ],
  );
}

/** Closes what is no longer suspected; what only waited was never shown and goes. @returns the workspaces that had some to show */
export async function closeFindings(client: pg.ClientBase, judged: Judged[], now: Date): Promise<WorkspaceId[]> {
  const clear = judged.filter(({ suspicion }) => suspicion === null);
  if (clear.length === 0) return [];
  const columns = columnsOf(clear);
  const keys = "unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS u(w, k, i, r)";
  await client.query(`DELETE FROM findings f USING ${keys} WHERE ${KEY} AND f.state = 'waiting' AND f.opened_at IS NULL`, columns);
  const { rows } = await client.query<{ workspace_id: WorkspaceId }>(
    `UPDATE findings f SET state = 'closed', closed_at = $5 FROM ${keys} WHERE ${KEY} AND f.state <> 'closed' RETURNING f.workspace_id`,
    [...columns, now],
  );
  return [...new Set(rows.map((row) => row.workspace_id))];
}

/** Shows what has waited long enough. @returns the workspaces that have some */
export async function openDueFindings(client: pg.ClientBase, now: Date): Promise<WorkspaceId[]> {
  const { rows } = await client.query<{ workspace_id: WorkspaceId }>(
    `WITH due AS (SELECT id FROM findings WHERE state = 'waiting' AND due_at <= $1 ORDER BY due_at LIMIT ${MOST_OPENED})
     UPDATE findings f SET state = 'open', opened_at = $1, closed_at = NULL FROM due WHERE f.id = due.id RETURNING f.workspace_id`,
    [now],
  );
  return [...new Set(rows.map((row) => row.workspace_id))];
}

/** The resources of these rules that are suspected now, in all workspaces: for rules that look at the whole of a small thing. */
export async function listStanding(client: pg.ClientBase, rules: FindingRule[]): Promise<Judged[]> {
  const { rows } = await client.query<{ workspaceId: WorkspaceId; rule: FindingRule; kind: FindingResource["kind"]; id: string }>(
    `SELECT workspace_id AS "workspaceId", rule, resource_kind AS kind, resource_id AS id FROM findings
      WHERE state IN ('waiting', 'open', 'dismissed') AND rule = ANY($1) LIMIT 10000`,
    [rules],
  );
  return rows.map(({ workspaceId, rule, kind, id }) => ({ workspaceId, rule, resource: { kind, id }, suspicion: null }));
}

const COLUMNS = "id, rule, resource_kind, resource_id, state, evidence, detail, since, opened_at, closed_at, dismissed_at, dismissed_by";

/** Findings in a state, the one that stands longest last. */
export async function listFindings(workspaceId: WorkspaceId, query: FindingQuery): Promise<Page<Finding>> {
  const after = query.cursor ? decodeCursor(query.cursor) : null;
  const [kind = null, ...id] = query.resource?.split(":") ?? [];
  const { rows } = await pool().query<FindingRow>(
    `SELECT ${COLUMNS} FROM findings
      WHERE workspace_id = $1 AND state = $2 AND ($3::text IS NULL OR rule = $3)
        AND ($4::text IS NULL OR (resource_kind = $4 AND resource_id = $5))
        AND ($6::timestamptz IS NULL OR since < $6 OR (since = $6 AND id > $7))
      ORDER BY since DESC, id LIMIT $8`,
    [workspaceId, query.state, query.rule ?? null, kind, id.join(":"), after?.since ?? null, after?.id ?? null, query.limit + 1],
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return { data: page.map(toFinding), nextCursor: rows.length > query.limit && last ? encodeCursor(last) : null };
}

/** Open findings, at most 1,001 counted. */
export async function countOpenFindings(workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM findings WHERE workspace_id = $1 AND state = 'open' LIMIT 1001) t",
    [workspaceId],
  );
  return rows[0]?.n ?? 0;
}

/**
 * Sets an open finding aside. It stays so until what was missing comes.
 *
 * @returns the finding as it is now; null when the workspace has none of that id
 */
export async function dismissFinding(workspaceId: WorkspaceId, id: string, by: string, now: Date): Promise<Finding | null> {
  await pool().query(
    "UPDATE findings SET state = 'dismissed', dismissed_at = $4, dismissed_by = $3 WHERE workspace_id = $1 AND id = $2 AND state = 'open'",
    [workspaceId, id, by, now],
  );
  const { rows } = await pool().query<FindingRow>(
    `SELECT ${COLUMNS} FROM findings WHERE workspace_id = $1 AND id = $2 AND state <> 'waiting'`,
    [workspaceId, id],
  );
  return rows[0] ? toFinding(rows[0]) : null;
}

const encodeCursor = ({ since, id }: FindingRow) => Buffer.from(`${since.toISOString()} ${id}`).toString("base64url");

function decodeCursor(cursor: string): { since: Date; id: string } {
  const [time = "", id = ""] = Buffer.from(cursor, "base64url").toString().split(" ");
  const since = new Date(time);
  if (Number.isNaN(since.getTime())) throw new AppError("invalid_request", "cursor: take it from the nextCursor of the page before.");
  return { since, id };
}
