import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { DriftKind, DriftSeverity, DriftState, SchemaDrift } from "#lib/contracts/event-types";
import { pool } from "#lib/db/pool";

export type NewDrift = {
  id: string;
  workspaceId: WorkspaceId;
  schemaId: string;
  kind: DriftKind;
  severity: DriftSeverity;
  path: string;
  outcome: string;
  expected: string;
  observed: string;
  count: number;
  first: { id: string; at: Date } | null;
  lastGood: { id: string; at: Date } | null;
  issueId: string | null;
};

export async function insertDrifts(client: pg.PoolClient, drifts: NewDrift[]): Promise<void> {
  if (drifts.length === 0) return;
  const column = <T>(pick: (each: NewDrift) => T) => drifts.map(pick);
  await client.query({
    name: "event-schema-drifts-insert",
    text: `INSERT INTO event_schema_drifts (id, workspace_id, schema_id, kind, severity, path, outcome, expected, observed, count,
        first_event_id, first_event_at, last_good_id, last_good_at, issue_id)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::int[],
        $11::text[], $12::timestamptz[], $13::text[], $14::timestamptz[], $15::text[])`,
    values: [
      column(({ id }) => id),
      column(({ workspaceId }) => workspaceId),
      column(({ schemaId }) => schemaId),
      column(({ kind }) => kind),
      column(({ severity }) => severity),
      column(({ path }) => path),
      column(({ outcome }) => outcome),
      column(({ expected }) => expected),
      column(({ observed }) => observed),
      column(({ count }) => count),
      column(({ first }) => first?.id ?? null),
      column(({ first }) => first?.at.toISOString() ?? null),
      column(({ lastGood }) => lastGood?.id ?? null),
      column(({ lastGood }) => lastGood?.at.toISOString() ?? null),
      column(({ issueId }) => issueId),
    ],
  });
}

/** Counts the events of open drifts again. */
export async function countDrifts(client: pg.PoolClient, counts: { id: string; count: number }[]): Promise<void> {
  if (counts.length === 0) return;
  await client.query(
    "UPDATE event_schema_drifts d SET count = u.n FROM unnest($1::text[], $2::int[]) AS u(id, n) WHERE d.id = u.id AND d.count <> u.n",
    [counts.map(({ id }) => id), counts.map(({ count }) => count)],
  );
}

export type ClosedDrift = {
  id: string;
  workspaceId: WorkspaceId;
  schemaId: string;
  kind: DriftKind;
  path: string;
  outcome: string;
  issueId: string | null;
};

const CLOSED = `id, workspace_id AS "workspaceId", schema_id AS "schemaId", kind, path, outcome, issue_id AS "issueId"`;

/** Closes those of the drifts that are open, and returns them. @param by null when it closed by itself */
export async function closeDrifts(
  client: pg.PoolClient,
  ids: string[],
  state: Exclude<DriftState, "open">,
  by: string | null = null,
): Promise<ClosedDrift[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<ClosedDrift>(
    `UPDATE event_schema_drifts SET state = $2, closed_at = now(), closed_by = $3 WHERE id = ANY($1::text[]) AND state = 'open' RETURNING ${CLOSED}`,
    [ids, state, by],
  );
  return rows;
}

type Row = {
  id: string;
  kind: DriftKind;
  severity: DriftSeverity;
  state: DriftState;
  path: string;
  expected: string;
  observed: string;
  count: number;
  firstEventId: string | null;
  firstEventAt: Date | null;
  lastGoodId: string | null;
  lastGoodAt: Date | null;
  openedAt: Date;
  closedAt: Date | null;
  closedBy: string | null;
  issueId: string | null;
};

const SHOWN = 100;

/** Lists a schema's drifts: open ones first, then the newest. */
export async function listDrifts(
  workspaceId: WorkspaceId,
  schemaId: string,
  from: pg.Pool | pg.PoolClient = pool(),
): Promise<SchemaDrift[]> {
  const { rows } = await from.query<Row>(
    `SELECT id, kind, severity, state, path, expected, observed, count, first_event_id AS "firstEventId", first_event_at AS "firstEventAt",
       last_good_id AS "lastGoodId", last_good_at AS "lastGoodAt", opened_at AS "openedAt", closed_at AS "closedAt", closed_by AS "closedBy", issue_id AS "issueId"
     FROM event_schema_drifts WHERE workspace_id = $1 AND schema_id = $2 ORDER BY state <> 'open', opened_at DESC, id LIMIT ${SHOWN}`,
    [workspaceId, schemaId],
  );
  return rows.map(driftOf);
}

const placeOf = (id: string | null, at: Date | null) => (id !== null && at ? { id, at: at.toISOString() } : null);

const driftOf = ({ firstEventId, firstEventAt, lastGoodId, lastGoodAt, openedAt, closedAt, ...row }: Row): SchemaDrift => ({
  ...row,
  firstEvent: placeOf(firstEventId, firstEventAt),
  lastGoodEvent: placeOf(lastGoodId, lastGoodAt),
  openedAt: openedAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
});
