import type pg from "pg";
import type { AuditEntry, AuditFilter } from "#lib/contracts/audit";
import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { requestAddress } from "#lib/http/request-address";
import { auditWords } from "./audit-words.ts";

/** Who did it. A stranger is somebody who tried an account's sign-in; the system is a start of Signalbox. */
export type AuditWho = AuditEntry["actor"];

export type AuditDraft = {
  /** `subject.past_participle`, or an operation of the table of permissions. */
  action: string;
  who: AuditWho;
  target?: { kind: string; id: string; name?: string | null };
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

const INSERT = `
  INSERT INTO audit_entries (workspace_id, action, actor_kind, actor_id, actor_name, credential, address,
                             target_kind, target_id, target_name, before, after)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/**
 * Appends to the audit log; the database refuses any later change. Values
 * under names of secrets are hidden, whoever hands them in.
 *
 * @param client a transaction, to stand or fall with what it tells of
 */
export async function insertAudit(workspaceId: WorkspaceId, draft: AuditDraft, client: pg.PoolClient | pg.Pool = pool()): Promise<void> {
  const { action, who, target, before, after } = draft;
  await client.query(INSERT, [
    workspaceId,
    action,
    who.kind,
    who.id,
    who.name,
    who.credential,
    requestAddress(),
    target?.kind ?? null,
    target?.id ?? null,
    target?.name ?? null,
    before ? JSON.stringify(before, hideSecrets) : null,
    after ? JSON.stringify(after, hideSecrets) : null,
  ]);
}

const SECRET_NAME = /secret|password|token|sealed|hash|authorization|cookie|^key$|api_?key$/i;
const hideSecrets = (name: string, value: unknown): unknown => (SECRET_NAME.test(name) && typeof value === "string" ? "(hidden)" : value);

/** One page of the log, and where the next one begins: null after the last. */
type Page = { data: AuditEntry[]; nextCursor: string | null };

/**
 * Entries that match, newest first or oldest first.
 *
 * @param cursor the last id that was seen
 */
export async function listAudit(
  workspaceId: WorkspaceId,
  filter: AuditFilter,
  { limit, cursor, oldestFirst = false }: { limit: number; cursor?: string | undefined; oldestFirst?: boolean },
): Promise<Page> {
  const after = cursor && /^\d{1,18}$/.test(cursor) ? cursor : null;
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM audit_entries
      WHERE workspace_id = $1
        AND ($2::text IS NULL OR action = $2 OR starts_with(action, $2 || '.'))
        AND ($3::text IS NULL OR strpos(lower(concat_ws(' ', actor_name, actor_id, target_id, target_name, address)), lower($3)) > 0)
        AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at <= $5)
        AND ($6::bigint IS NULL OR id ${oldestFirst ? ">" : "<"} $6)
      ORDER BY id ${oldestFirst ? "ASC" : "DESC"} LIMIT $7`,
    [workspaceId, filter.action || null, filter.q || null, filter.from ?? null, filter.to ?? null, after, limit + 1],
  );
  const data = rows.slice(0, limit).map(toEntry);
  return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

const COLUMNS = `id, at, action, actor_kind AS "actorKind", actor_id AS "actorId", actor_name AS "actorName", credential, address,
                 target_kind AS "targetKind", target_id AS "targetId", target_name AS "targetName", before, after`;

type Row = Pick<AuditEntry, "action" | "address" | "before" | "after"> & {
  id: number;
  at: Date;
  actorKind: AuditWho["kind"];
  actorId: string | null;
  actorName: string;
  credential: string | null;
  targetKind: string | null;
  targetId: string | null;
  targetName: string | null;
};

const toEntry = (row: Row): AuditEntry => ({
  id: String(row.id),
  at: row.at.toISOString(),
  action: row.action,
  does: auditWords(row.action),
  actor: { kind: row.actorKind, id: row.actorId, name: row.actorName, credential: row.credential },
  address: row.address,
  target: row.targetKind === null || row.targetId === null ? null : { kind: row.targetKind, id: row.targetId, name: row.targetName },
  before: row.before,
  after: row.after,
});
