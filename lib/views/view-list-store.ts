import { AppError } from "#lib/contracts/app-error";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import type { ViewKind, ViewQuery, ViewRecord } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { recordOf } from "./fold.ts";
import type { Registers } from "./register.ts";

type Row = { id: string; registers: Registers; last_created: number };

/** A task's assignee as a person reads it: a team where nobody is named. The index views_assignee_idx is of this expression. */
const ASSIGNEE = "coalesce(registers->'assignee'->>'v', registers->'team'->>'v')";

/** Views of a kind, the one with the newest event first. `q` matches ids and names. */
export async function listViews(workspaceId: WorkspaceId, kind: ViewKind, query: ViewQuery): Promise<Page<ViewRecord>> {
  const values: unknown[] = [workspaceId, kind];
  const sql = ["workspace_id = $1", "kind = $2", ...conditionsOf(query, values)];
  const after = query.cursor ? decodeViewCursor(query.cursor) : null;
  if (after) {
    // Not one OR: the first half bounds the index, the second only sorts out equals.
    const at = values.push(after.at);
    sql.push(`last_created <= $${at} AND (last_created < $${at} OR id > $${values.push(after.id)})`);
  }
  // The keys first, out of an index alone; then the records of that page.
  const { rows } = await pool().query<Row>(
    `WITH page AS MATERIALIZED (
       SELECT id, last_created FROM views WHERE ${sql.join(" AND ")} ORDER BY last_created DESC, id LIMIT ${query.limit + 1})
     SELECT p.id, v.registers, p.last_created FROM page p
     JOIN views v ON v.id = p.id AND v.kind IS NOT DISTINCT FROM $2 AND v.workspace_id IS NOT DISTINCT FROM $1
     ORDER BY p.last_created DESC, p.id`,
    values,
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    data: page.map((row) => recordOf(kind, row.id, row.registers)),
    nextCursor: rows.length > query.limit && last ? encodeViewCursor(last.last_created, last.id) : null,
  };
}

function conditionsOf({ state, parent, stage, assignee, failed, inWork, q }: ViewQuery, values: unknown[]): string[] {
  const sql: string[] = [];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined && value !== "") sql.push(condition(`$${values.push(value)}`));
  };
  add((p) => `state = ${p}`, state);
  add((p) => `parent = ${p}`, parent);
  add((p) => `stage = ${p}`, stage);
  add((p) => `${ASSIGNEE} = ${p}`, assignee);
  add((p) => `failed = ${p}`, failed);
  if (inWork === true) sql.push("state <> 'completed'");
  if (inWork === false) sql.push("state = 'completed'");
  add((p) => `words LIKE ${p}`, likePattern(q));
  return sql;
}

const likePattern = (q: string | undefined) => (q ? `%${q.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%` : undefined);

const encodeViewCursor = (at: number, id: string) => Buffer.from(JSON.stringify([at, id])).toString("base64url");

function decodeViewCursor(cursor: string): { at: number; id: string } {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as [unknown, unknown];
    if (Number.isSafeInteger(at) && typeof id === "string") return { at: Number(at), id };
  } catch {
    // falls through to the one answer for every cursor that is not ours
  }
  throw new AppError("invalid_request", "cursor: take it from the nextCursor of the page before.");
}
