import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type DriftKind, type DriftSeverity, type DriftState, type SchemaDrift, schemaDrift } from "#lib/contracts/event-types";
import { answered, arraysOf, column, columnsSql, type RowOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { queryRows } from "#lib/db/rows";

type Place = { id: string; at: Date };

export type NewDrift = ClosedDrift & {
  severity: DriftSeverity;
  expected: string;
  observed: string;
  count: number;
  first: Place | null;
  lastGood: Place | null;
};

export async function insertDrifts(client: pg.PoolClient, drifts: NewDrift[]): Promise<void> {
  if (drifts.length === 0) return;
  const rows = drifts.map(({ first, lastGood, ...drift }) => ({
    ...{ ...drift, firstId: first?.id ?? null, firstAt: first?.at ?? null },
    ...{ lastGoodId: lastGood?.id ?? null, lastGoodAt: lastGood?.at ?? null },
  }));
  await client.query({
    name: "event-schema-drifts-insert",
    text: `INSERT INTO event_schema_drifts (id, workspace_id, schema_id, kind, severity, path, outcome, expected, observed, count,
        first_event_id, first_event_at, last_good_id, last_good_at, issue_id)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::int[],
        $11::text[], $12::timestamptz[], $13::text[], $14::timestamptz[], $15::text[])`,
    values: [
      ...arraysOf(rows, "id", "workspaceId", "schemaId", "kind", "severity", "path", "outcome", "expected", "observed", "count"),
      ...arraysOf(rows, "firstId", "firstAt", "lastGoodId", "lastGoodAt", "issueId"),
    ],
  });
}

/** Counts the events of open drifts again. */
export async function countDrifts(client: pg.PoolClient, counts: { id: string; count: number }[]): Promise<void> {
  if (counts.length === 0) return;
  await client.query(
    "UPDATE event_schema_drifts d SET count = u.n FROM unnest($1::text[], $2::int[]) AS u(id, n) WHERE d.id = u.id AND d.count <> u.n",
    arraysOf(counts, "id", "count"),
  );
}

const CLOSED = {
  id: column<string>(),
  workspaceId: column<WorkspaceId>(),
  schemaId: column<string>(),
  kind: column<DriftKind>(),
  path: column<string>(),
  outcome: column<string>(),
  issueId: column<string | null>(),
};

export type ClosedDrift = RowOf<typeof CLOSED>;

/** Closes those of the drifts that are open, and returns them. @param by null when it closed by itself */
export async function closeDrifts(
  client: pg.PoolClient,
  ids: string[],
  state: Exclude<DriftState, "open">,
  by: string | null,
): Promise<ClosedDrift[]> {
  if (ids.length === 0) return [];
  return queryRows<ClosedDrift>(
    client,
    `UPDATE event_schema_drifts SET state = $2, closed_at = now(), closed_by = $3
     WHERE id = ANY($1::text[]) AND state = 'open' RETURNING ${columnsSql(CLOSED)}`,
    [ids, state, by],
  );
}

const DRIFT = {
  id: column<string>(),
  kind: column<DriftKind>(),
  severity: column<DriftSeverity>(),
  state: column<DriftState>(),
  path: column<string>(),
  expected: column<string>(),
  observed: column<string>(),
  count: column<number>(),
  firstEventId: column<string | null>(),
  firstEventAt: column<Date | null>(),
  lastGoodId: column<string | null>(),
  lastGoodAt: column<Date | null>(),
  openedAt: column<Date>(),
  closedAt: column<Date | null>(),
  closedBy: column<string | null>(),
  issueId: column<string | null>(),
};

const SHOWN = 100;

/** Lists a schema's drifts: open ones first, then the newest. */
export async function listDrifts(workspaceId: WorkspaceId, schemaId: string, from: Connection = pool()): Promise<SchemaDrift[]> {
  const { rows } = await from.query<RowOf<typeof DRIFT>>(
    `SELECT ${columnsSql(DRIFT)}
     FROM event_schema_drifts WHERE workspace_id = $1 AND schema_id = $2 ORDER BY state <> 'open', opened_at DESC, id LIMIT ${SHOWN}`,
    [workspaceId, schemaId],
  );
  return rows.map((row) =>
    answered(schemaDrift, {
      ...row,
      firstEvent: placeOf(row.firstEventId, row.firstEventAt),
      lastGoodEvent: placeOf(row.lastGoodId, row.lastGoodAt),
    }),
  );
}

const placeOf = (id: string | null, at: Date | null) => (id !== null && at ? { id, at: at.toISOString() } : null);
