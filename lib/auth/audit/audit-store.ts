import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Paging } from "#lib/contracts/api/parameters";
import { type AuditEntry, auditEntry } from "#lib/contracts/auth/audit";
import type { AuditFilter } from "#lib/contracts/auth/audit-filters";
import { answered, column, columnsSql, type RowOf } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { conditionsOf, containsSql, type FilterConditions, SqlValues } from "#lib/db/sql";
import { requestIp } from "#lib/http/request-head";
import { type AuditAction, type AuditValues, auditWords, changedValues, withoutSecrets } from "./audit-entry.ts";
import { presentAction, presentActor, storedActions } from "./earlier-names.ts";

/** `anonymous`: someone who tried to sign in; `system`: Signalbox itself. */
export type AuditWho = AuditEntry["actor"];

export type AuditDraft = {
  action: AuditAction;
  who: AuditWho;
  target?: { kind: string; id: string; name?: string | null };
  before?: AuditValues;
  after?: AuditValues;
};

/** Appends to the log, which the database keeps immutable. Unchanged values are left out, values of secrets hidden. */
export async function insertAudit(workspaceId: WorkspaceId, draft: AuditDraft, client?: Connection): Promise<void> {
  const { action, who, target } = draft;
  const { before, after } = changedValues(draft.before, draft.after);
  // Not Prisma, which writes the numbers of JSON as doubles.
  await (client ?? pool()).query(
    `INSERT INTO audit_entries (workspace_id, action, actor_kind, actor_id, actor_name, credential, address, target_kind, target_id, target_name,
       before, after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[workspaceId, action, who.kind, who.id, who.name, who.credential, requestIp()],
      ...[target?.kind ?? null, target?.id ?? null, target?.name ?? null],
      before && withoutSecrets(before),
      after && withoutSecrets(after),
    ],
  );
}

type Page = { data: AuditEntry[]; nextCursor: string | null };

const NEWEST_FIRST = new Cursor("audit", { id: "integer" });
const OLDEST_FIRST = new Cursor("audit_export", { id: "integer" });

const CONDITIONS: FilterConditions<AuditFilter> = {
  q: (q, bind) => containsSql("concat_ws(' ', actor_name, actor_id, target_id, target_name, address)", q.trim(), bind),
  action: (action, bind) => {
    const stored = bind(storedActions(action));
    return `(action = ANY(${stored}::text[]) OR starts_with(action, (${stored}::text[])[1] || '.'))`;
  },
  from: (from, bind) => `at >= ${bind(from)}::timestamptz`,
  to: (to, bind) => `at <= ${bind(to)}::timestamptz`,
};

/** @throws AppError `invalid_request` for a cursor of another list, order or filter */
export async function listAudit(
  workspaceId: WorkspaceId,
  filter: AuditFilter,
  { limit, cursor, oldestFirst = false }: Paging & { oldestFirst?: boolean },
): Promise<Page> {
  const place = oldestFirst ? OLDEST_FIRST : NEWEST_FIRST;
  const after = place.decode(cursor, filter);
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["workspace_id = $1", ...conditionsOf(CONDITIONS, filter, bind)];
  if (after) where.push(`id ${oldestFirst ? ">" : "<"} ${bind(after.id)}`);
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM audit_entries WHERE ${where.join(" AND ")} ORDER BY id ${oldestFirst ? "ASC" : "DESC"} LIMIT ${bind(limit + 1)}`,
    values,
  );
  return { data: rows.slice(0, limit).map(toEntry), nextCursor: place.next(rows, limit, filter) };
}

export async function listActions(
  workspaceId: WorkspaceId,
  actions: readonly AuditAction[],
  { from, to }: { from: string; to: string },
  limit: number,
): Promise<AuditEntry[]> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM audit_entries
     WHERE workspace_id = $1 AND action = ANY($2::text[]) AND at >= $3 AND at <= $4 ORDER BY id DESC LIMIT $5`,
    [workspaceId, actions, from, to, limit],
  );
  return rows.map(toEntry);
}

const ROW = {
  id: column<number>(),
  at: column<Date>(),
  action: column<string>(),
  actorKind: column<AuditWho["kind"]>(),
  actorId: column<string | null>(),
  actorName: column<string>(),
  credential: column<string | null>(),
  ip: column<string | null>("address"),
  targetKind: column<string | null>(),
  targetId: column<string | null>(),
  targetName: column<string | null>(),
  before: column<AuditEntry["before"]>(),
  after: column<AuditEntry["after"]>(),
};

type Row = RowOf<typeof ROW>;

const COLUMNS = columnsSql(ROW);

const toEntry = (row: Row): AuditEntry =>
  answered(auditEntry, {
    ...row,
    id: String(row.id),
    action: presentAction(row.action),
    does: auditWords(presentAction(row.action)),
    actor: { kind: presentActor(row.actorKind), id: row.actorId, name: row.actorName, credential: row.credential },
    target: row.targetKind === null || row.targetId === null ? null : { kind: row.targetKind, id: row.targetId, name: row.targetName },
  });
