import { pool } from "#lib/db/pool";
import { changesOne } from "#lib/db/rows";
import { clearPart, sealUrl } from "./sealed-values.ts";
import { hasKey, type KeyState, keyStateOf, resealedValue } from "./vault.ts";

/** `keyColumn` names the vault's key; `live` leaves out values that are never opened again; `clear` is the column of a URL's origin. */
type SealedTable = {
  table: string;
  row: string;
  columns: { column: string; field: string; clear?: string }[];
  keyColumn: string | null;
  live: string;
  /** Column that replaces the workspace in the seal's place, for a person's values. */
  owner?: string;
  /** Treatment of a row whose key is discarded; other modules decide about their own rows (lib/flows/vault). */
  lost?: "clear" | "delete";
};

/** Sealed headers are not listed: rows of the log never change. A test compares this with the database's columns. */
export const SEALED_TABLES: SealedTable[] = [
  {
    table: "connection_tokens",
    row: "connection_id",
    columns: [
      { column: "access_sealed", field: "access" },
      { column: "refresh_sealed", field: "refresh" },
    ],
    keyColumn: "key_id",
    live: "true",
  },
  {
    table: "token_revocations",
    row: "id",
    columns: [{ column: "sealed", field: "token" }],
    keyColumn: "key_id",
    live: "sealed IS NOT NULL",
  },
  { table: "source_secrets", row: "id", columns: [{ column: "sealed", field: "sealed" }], keyColumn: "key_id", live: "true" },
  { table: "destination_secrets", row: "id", columns: [{ column: "sealed", field: "sealed" }], keyColumn: "key_id", live: "true" },
  {
    table: "alert_channels",
    row: "id",
    columns: [{ column: "sealed", field: "sealed" }],
    keyColumn: "key_id",
    live: "sealed IS NOT NULL",
    lost: "clear",
  },
  ...[
    { table: "destinations", column: "url_sealed", field: "url", clear: "url", keyColumn: "url_key_id" },
    { table: "destinations", column: "headers_sealed", field: "headers", keyColumn: "headers_key_id" },
    { table: "alert_channels", column: "target_sealed", field: "target", clear: "target", keyColumn: "target_key_id" },
  ].map(({ table, keyColumn, ...column }) => ({
    table,
    row: "id",
    columns: [column],
    keyColumn,
    live: `${column.column} IS NOT NULL`,
    lost: "clear" as const,
  })),
  {
    table: "sandbox_signing_secrets",
    row: "id",
    columns: [{ column: "sealed", field: "sealed" }],
    keyColumn: "key_id",
    live: "true",
    lost: "delete",
  },
  {
    table: "sandbox_receiver_secrets",
    row: "id",
    columns: [{ column: "sealed", field: "sealed" }],
    keyColumn: "key_id",
    live: "true",
    lost: "delete",
  },
  {
    table: "totp_factors",
    row: "user_id",
    columns: [{ column: "sealed", field: "sealed" }],
    keyColumn: "key_id",
    live: "sealed IS NOT NULL",
    owner: "user_id",
  },
  {
    table: "sender_fetches",
    row: "id",
    columns: [{ column: "url_sealed", field: "url_sealed" }],
    keyColumn: null,
    live: "true",
    lost: "delete",
  },
  {
    table: "authorization_attempts",
    row: "state_hash",
    columns: [{ column: "verifier_sealed", field: "verifier" }],
    keyColumn: null,
    live: "verifier_sealed IS NOT NULL AND used_at IS NULL AND expires_at > now()",
    lost: "delete",
  },
  {
    table: "idempotency_keys",
    row: "id",
    columns: [{ column: "answer_sealed", field: "answer" }],
    keyColumn: "key_id",
    live: "answer_sealed IS NOT NULL AND expires_at > now()",
    // The request is not run again: only its answer is lost.
    lost: "clear",
  },
];

export type SealedRow = {
  table: string;
  row: string;
  workspaceId: string;
  keyColumn: string | null;
  values: { column: string; field: string; sealed: string }[];
};

const PAGE = 100;

export async function* eachSealedRow(): AsyncGenerator<SealedRow> {
  for (const table of SEALED_TABLES) {
    let after = "";
    for (;;) {
      const rows = await readPage(table, after);
      for (const row of rows) yield row;
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) break;
      after = last.row;
    }
  }
}

async function readPage(
  { table, row, columns, keyColumn, live, owner = "workspace_id" }: SealedTable,
  after: string,
): Promise<SealedRow[]> {
  const { rows } = await pool().query<{ row: string; workspace_id: string; sealed: (string | null)[] }>(
    `SELECT ${row} AS row, ${owner} AS workspace_id, ARRAY[${columns.map(({ column }) => column).join(", ")}] AS sealed
       FROM ${table} WHERE ${row} > $1 AND (${live}) ORDER BY ${row} LIMIT ${PAGE}`,
    [after],
  );
  return rows.map((each) => ({
    table,
    row: each.row,
    workspaceId: each.workspace_id,
    keyColumn,
    values: columns.flatMap((column, index) => {
      const sealed = each.sealed[index];
      return sealed ? [{ ...column, sealed }] : [];
    }),
  }));
}

const homeOf = ({ table, keyColumn }: SealedRow): SealedTable | undefined =>
  SEALED_TABLES.find((each) => each.table === table && each.keyColumn === keyColumn);

export const rowKeyState = (row: SealedRow): KeyState => keyStateOf(row.values.map(({ sealed }) => sealed));

/** Erases values sealed with discarded keys in the tables with `lost`. Returns the number of rows by table. */
export async function eraseLostRows(keyIds: string[]): Promise<Map<string, number>> {
  const erased = new Map<string, number>();
  for await (const sealedRow of eachSealedRow()) {
    const { keyId, place } = rowKeyState(sealedRow);
    const home = homeOf(sealedRow);
    if (place !== "missing" || !keyIds.includes(keyId) || home?.lost === undefined) continue;
    const sets = [...sealedRow.values.map(({ column }) => column), ...(home.keyColumn ? [home.keyColumn] : [])];
    const what =
      home.lost === "delete"
        ? `DELETE FROM ${home.table}`
        : `UPDATE ${home.table} SET ${sets.map((column) => `${column} = NULL`).join(", ")}`;
    const guards = sealedRow.values.map(({ column }, index) => `${column} = $${index + 3}`);
    const { rowCount } = await pool().query(
      `${what} WHERE ${home.row} = $1 AND ${home.owner ?? "workspace_id"} = $2 AND ${guards.join(" AND ")}`,
      [sealedRow.row, sealedRow.workspaceId, ...sealedRow.values.map(({ sealed }) => sealed)],
    );
    erased.set(home.table, (erased.get(home.table) ?? 0) + (rowCount ?? 0));
  }
  return erased;
}

/** Re-encrypts all values in one guarded statement: a process that dies leaves the row under one key or the other. False if it changed. */
export async function resealRow(sealedRow: SealedRow): Promise<boolean> {
  const home = homeOf(sealedRow);
  if (!home) return false;
  const { keyColumn } = sealedRow;
  const fresh = await Promise.all(sealedRow.values.map((value) => resealedValue(sealedRow, value)));
  const parameters: string[] = [sealedRow.row, sealedRow.workspaceId];
  const place = (value: string) => `$${parameters.push(value)}`;
  const sets = sealedRow.values.map(({ column }, index) => `${column} = ${place(fresh[index]?.sealed ?? "")}`);
  if (keyColumn) sets.push(`${keyColumn} = ${place(fresh[0]?.keyId ?? "")}`);
  const guards = sealedRow.values.map(({ column, sealed }) => `${column} = ${place(sealed)}`);
  return changesOne(
    pool(),
    `UPDATE ${home.table} SET ${sets.join(", ")} WHERE ${home.row} = $1 AND ${home.owner ?? "workspace_id"} = $2 AND ${guards.join(" AND ")}`,
    parameters,
  );
}

/** URLs of which more than the origin is in clear. */
const HAS_PATH = "^https?://[^/?#]+(/[^#]|[?])";

type Row = { row: string; workspaceId: string; url: string; isDeleted: boolean };

/** Seals URLs written by an earlier version; of deleted rows only the origin stays. Throws VaultError `no_key`. */
export async function sealClearUrls(): Promise<number> {
  let sealed = 0;
  for (const { table, row, columns, keyColumn } of SEALED_TABLES) {
    const [{ column, field, clear } = {}] = columns;
    if (!clear || !field) continue;
    const { rows } = await pool().query<Row>(
      `SELECT ${row} AS row, workspace_id AS "workspaceId", ${clear} AS url, deleted_at IS NOT NULL AS "isDeleted" FROM ${table} WHERE ${clear} ~ $1`,
      [HAS_PATH],
    );
    for (const { row: id, workspaceId, url, isDeleted } of rows) {
      const values = isDeleted ? [clearPart(url).url, null, null] : await sealUrl(url, { workspaceId, table, row: id, field });
      const { rowCount } = await pool().query(
        `UPDATE ${table} SET ${clear} = $3, ${column} = $4, ${keyColumn} = $5 WHERE ${row} = $1 AND ${clear} = $2
           AND (deleted_at IS NOT NULL) = $6`,
        [id, url, ...values, isDeleted],
      );
      sealed += rowCount ?? 0;
    }
  }
  return sealed;
}

export type MissingKeys = { workspaceId: string; keyIds: string[]; values: number };

/** Counted by the key column next to each value: cheap enough to run all the time. */
const COUNTS = SEALED_TABLES.filter(({ keyColumn, owner }) => keyColumn && !owner)
  .map(({ table, keyColumn, live }) => `SELECT workspace_id, ${keyColumn} AS key_id FROM ${table} WHERE (${live})`)
  .join(" UNION ALL ");

export async function listMissingKeys(): Promise<MissingKeys[]> {
  const { rows } = await pool().query<{ workspace_id: string; key_id: string; n: number }>(
    `SELECT workspace_id, key_id, count(*) AS n FROM (${COUNTS}) t GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const lost = rows.filter(({ key_id }) => !hasKey(key_id));
  return [...new Set(lost.map(({ workspace_id }) => workspace_id))].map((workspaceId) => {
    const own = lost.filter(({ workspace_id }) => workspace_id === workspaceId);
    return { workspaceId, keyIds: own.map(({ key_id }) => key_id), values: own.reduce((sum, { n }) => sum + n, 0) };
  });
}
