import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { recordsWithinBytes } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { changesOne, queryCount, queryRows, queryValue, queryValues } from "#lib/db/rows";
import { joined, splitSql } from "#lib/db/sql";
import { type Base, mergeBases } from "./base.ts";
import { FOLD_VERSION } from "./definitions.ts";
import { summarize } from "./fold/fold.ts";
import type { Registers } from "./fold/register.ts";
import { type KeptView, repaired } from "./stored-record.ts";

type Row = { kind: ViewKind; id: string; registers: Registers; firstAt: number | null; knownFrom: number };

const COLUMNS = `b.kind, b.id, b.registers, b.first_at AS "firstAt", b.known_from AS "knownFrom"`;
const KEYED = `kind, id, "firstAt", "knownFrom"`;
/** The base `b` of a record by its key `u`: as with views, no index but the primary key serves it. */
const KEY = "b.id = u.i AND b.kind IS NOT DISTINCT FROM u.k AND b.workspace_id IS NOT DISTINCT FROM $1";

const baseOf = (row: Row): Base => ({ ...row, registers: repaired(row.kind, row.registers) });

/** Advisory lock of base writers, apart from the locks of claims and readings. */
const LOCK = "(3::bigint << 40)";

/** Keeps others from writing bases until the transaction in hand ends; must be its first lock. */
export async function lockBases(client: pg.ClientBase): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
}

/** Merges bases (one a record) into stored ones under their lock. Each is written once, with at most 16 MB of stored ones in memory. */
export async function mergeIntoBases(client: pg.ClientBase, workspaceId: WorkspaceId, bases: Base[]): Promise<void> {
  for (let left = bases; left.length > 0; ) {
    const { rows } = await client.query<Omit<Row, "registers"> & { registers: Registers | null }>(
      recordsWithinBytes(`SELECT ${COLUMNS} FROM view_bases b JOIN unnest($2::text[], $3::text[]) AS u(k, i) ON ${KEY}`, KEYED, "kind, id"),
      [workspaceId, ...arraysOf(left, "kind", "id")],
    );
    const stored = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
    const waits = ({ kind, id }: Base) => stored.get(`${kind} ${id}`)?.registers === null;
    const merged = left
      .filter((base) => !waits(base))
      .map((base) => {
        const before = stored.get(`${base.kind} ${base.id}`);
        return before?.registers ? mergeBases(baseOf({ ...before, registers: before.registers }), base) : base;
      });
    await save(client, workspaceId, merged);
    left = left.filter(waits);
  }
}

async function save(client: pg.ClientBase, workspaceId: WorkspaceId, bases: Base[]): Promise<void> {
  await client.query(
    `INSERT INTO view_bases (workspace_id, kind, id, registers, parent, first_at, known_from)
     SELECT $1, k, i, r::jsonb, p, f, t FROM unnest($2::text[], $3::text[], ${splitSql("$4")}, $5::text[], $6::bigint[], $7::bigint[]) AS u(k, i, r, p, f, t)
     ON CONFLICT (id, kind, workspace_id) DO UPDATE SET registers = EXCLUDED.registers, parent = EXCLUDED.parent,
       first_at = EXCLUDED.first_at, known_from = EXCLUDED.known_from, changed_xid = EXCLUDED.changed_xid`,
    [
      workspaceId,
      ...arraysOf(bases, "kind", "id"),
      joined(bases.map(({ registers }) => JSON.stringify(registers))),
      bases.map(({ kind, registers }) => summarize(kind, registers).parent),
      ...arraysOf(bases, "firstAt", "knownFrom"),
    ],
  );
}

/** Returns bases of one kind; `more`: those with larger IDs did not fit into 16 MB. */
export async function findBases(workspaceId: WorkspaceId, kind: ViewKind, ids: string[]): Promise<{ bases: Base[]; more: boolean }> {
  if (ids.length === 0) return { bases: [], more: false };
  const { rows } = await pool().query<Omit<Row, "registers"> & { registers: Registers | null }>(
    recordsWithinBytes(
      `SELECT ${COLUMNS} FROM view_bases b JOIN unnest($3::text[]) AS u(i) ON b.id = u.i AND b.kind IS NOT DISTINCT FROM $2 AND b.workspace_id IS NOT DISTINCT FROM $1`,
      KEYED,
      "id",
    ),
    [workspaceId, kind, ids],
  );
  const bases = rows.flatMap(({ registers, ...row }) => (registers ? [baseOf({ ...row, registers })] : []));
  return { bases, more: bases.length < rows.length };
}

/** Returns a record's base; null where none of its events has left the log. */
export const findBase = async (workspaceId: WorkspaceId, kind: ViewKind, id: string): Promise<Base | null> =>
  (await findBases(workspaceId, kind, [id])).bases[0] ?? null;

export const listChildrenOfBases = (workspaceId: WorkspaceId, kind: ViewKind, parent: string, max: number): Promise<string[]> =>
  queryValues<{ id: string }>(
    pool(),
    "SELECT id FROM view_bases WHERE workspace_id = $1 AND kind = $2 AND parent = $3 ORDER BY known_from DESC LIMIT $4",
    [workspaceId, kind, parent, max],
  );

/** Returns until when (Unix seconds) records may have had this parent that a later event replaced in their bases; null for none. */
export const findChildrenKnownFrom = (workspaceId: WorkspaceId, kind: ViewKind, parent: string, until: number): Promise<number | null> =>
  queryValue<{ at: number | null }>(
    pool(),
    `SELECT max(known_from) AS at FROM view_bases WHERE workspace_id = $1 AND kind = $2 AND parent IS DISTINCT FROM $3
       AND known_from > $4 AND (first_at IS NULL OR first_at <= $4)`,
    [workspaceId, kind, parent, until],
  );

export type BaseCursor = { xid: string; kind: string; id: string };

/** Lists the next bases in the order of their changes: at most `limit` and 16 MB, one at least. */
export async function listBases(
  client: pg.ClientBase,
  workspaceId: WorkspaceId,
  after: BaseCursor,
  limit: number,
): Promise<{ bases: Base[]; last: BaseCursor | null }> {
  const { rows } = await client.query<Omit<Row, "registers"> & { registers: Registers | null; xid: string }>(
    `${recordsWithinBytes(
      `SELECT ${COLUMNS}, b.changed_xid FROM view_bases b
       WHERE b.workspace_id = $1 AND (b.changed_xid, b.kind, b.id) > ($2::xid8, $3, $4) ORDER BY b.changed_xid, b.kind, b.id LIMIT $5`,
      `${KEYED}, changed_xid::text AS xid`,
      "changed_xid, kind, id",
    )} ORDER BY b.changed_xid, kind, id`,
    [workspaceId, after.xid, after.kind, after.id, limit],
  );
  // Rows that did not fit come last, and are read by the next call.
  const read = rows.flatMap(({ registers, ...row }) => (registers ? [{ ...row, registers }] : []));
  const end = read.at(-1);
  return { bases: read.map(baseOf), last: end ? { xid: end.xid, kind: end.kind, id: end.id } : null };
}

/** Counts the shadow's fields whose last writer has left the log. */
export const countFromBases = (client: pg.ClientBase, workspaceId: WorkspaceId): Promise<number> =>
  queryCount<{ n: number }>(
    client,
    `SELECT count(*) AS n FROM view_bases b JOIN views_shadow s ON s.id = b.id AND s.kind = b.kind
     CROSS JOIN LATERAL jsonb_each(b.registers) f WHERE b.workspace_id = $1 AND s.registers->f.key = f.value`,
    [workspaceId],
  );

/** Lists the next records in key order: at most `limit` and 16 MB, one at least. */
export async function listRecords(
  client: pg.ClientBase,
  workspaceId: WorkspaceId,
  after: { id: string; kind: string } | null,
  limit: number,
): Promise<KeptView[]> {
  const { rows } = await client.query<{ kind: ViewKind; id: string; registers: Registers | null }>(
    `${recordsWithinBytes(
      `SELECT v.id, v.kind, v.registers FROM views v WHERE v.workspace_id = $1 AND (v.id, v.kind) > ($2, $3) ORDER BY v.id, v.kind LIMIT $4`,
      "id, kind",
      "id, kind",
    )} ORDER BY id, kind`,
    [workspaceId, after?.id ?? "", after?.kind ?? "", limit],
  );
  return rows.flatMap(({ registers, ...key }) => (registers ? [{ ...key, registers: repaired(key.kind, registers) }] : []));
}

export const listOutdated = (from: pg.Pool = pool("worker")): Promise<WorkspaceId[]> =>
  queryValues<{ id: WorkspaceId }>(from, "SELECT workspace_id AS id FROM view_folds WHERE fold < $1 ORDER BY workspace_id", [FOLD_VERSION]);

export const isOutdated = (workspaceId: WorkspaceId): Promise<boolean> =>
  changesOne(pool(), "SELECT FROM view_folds WHERE workspace_id = $1 AND fold < $2", [workspaceId, FOLD_VERSION]);

/** Notes for new workspaces that today's fold makes their records, and that nothing has left their logs. */
export async function adoptNew(): Promise<void> {
  await pool("worker").query(
    "INSERT INTO view_folds (workspace_id, fold, bases_since) SELECT id, $1, now() FROM workspaces ON CONFLICT DO NOTHING",
    [FOLD_VERSION],
  );
}

/** A workspace of which it is not known yet what had left its log before bases were kept. */
export type WithoutBases = { workspaceId: WorkspaceId; createdAt: Date; retentionDays: number };

export const listWithoutBases = (only: WorkspaceId | null): Promise<WithoutBases[]> =>
  queryRows<WithoutBases>(
    pool("worker"),
    `SELECT w.id AS "workspaceId", w.created_at AS "createdAt", w.retention_days AS "retentionDays" FROM view_folds f JOIN workspaces w ON w.id = f.workspace_id
     WHERE f.bases_since IS NULL AND ($1::text IS NULL OR w.id = $1) ORDER BY w.id`,
    [only],
  );

export const hasBases = (client: pg.ClientBase, workspaceId: WorkspaceId): Promise<boolean> =>
  changesOne(client, "SELECT FROM view_folds WHERE workspace_id = $1 AND bases_since IS NOT NULL", [workspaceId]);

/** Notes that from now on events leave a workspace's log only into the bases of their records. */
export async function saveBasesSince(workspaceId: WorkspaceId): Promise<void> {
  await pool("worker").query("UPDATE view_folds SET bases_since = now() WHERE workspace_id = $1 AND bases_since IS NULL", [workspaceId]);
}

export async function saveFold(from: pg.Pool | pg.ClientBase, workspaceId: WorkspaceId): Promise<void> {
  await from.query(
    `INSERT INTO view_folds AS f (workspace_id, fold) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET fold = greatest(f.fold, EXCLUDED.fold)`,
    [workspaceId, FOLD_VERSION],
  );
}
