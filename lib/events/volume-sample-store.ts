import type { WorkspaceId } from "#lib/contracts/api/ids";
import { queryWithin } from "#lib/db/query-within";
import { FREQUENT_ONE_IN, newestFiledSql } from "./search/candidate-queries.ts";
import { type ParsedFilter, tsqueryOf } from "./search/query.ts";
import { SqlParams } from "./search/sql-params.ts";

/** Parts of a bar; the newest events of each are looked at. */
const PARTS = 4;
const EVENTS = 16;
/** A frequency below one in 20 of the newest 1,000 events can't be measured by a sample of a few thousand. */
const NEWEST = 1000;

/** Bars of a histogram, Unix seconds: of the length `step`, the first at `first`. */
export type Bars = { first: number; step: number; length: number };

/** True where at least one in 20 of the newest events has a search's words; false where counting those took too long. */
export async function isFrequent(workspaceId: WorkspaceId, { search }: ParsedFilter, limitMs: number): Promise<boolean> {
  const bound = new SqlParams(workspaceId, { from: undefined, to: undefined }, undefined);
  const sought = bound.bind(tsqueryOf(workspaceId, search.terms));
  const rows = await queryWithin<{ read: number; found: number }>(
    limitMs,
    `SELECT count(*) AS read, count(*) FILTER (WHERE t.terms @@ ${sought}::tsquery) AS found FROM (${newestFiledSql(bound, NEWEST)}) t`,
    bound.values,
  );
  const { read, found } = rows?.[0] ?? { read: 0, found: 0 };
  return read > 0 && found * FREQUENT_ONE_IN >= read;
}

/** Returns the share (0 to 1) of each bar's events that match, from up to 64 spread over it; no share for a bar without filed events. */
export async function sampleShares(
  workspaceId: WorkspaceId,
  { search }: ParsedFilter,
  type: string | null,
  { first, step, length }: Bars,
  limitMs: number,
): Promise<Map<number, number> | null> {
  const values = [workspaceId, tsqueryOf(workspaceId, search.terms), ...(type === null ? [] : [type])];
  const within = (row: string) =>
    `${row}.workspace_id = $1 AND ${row}.received_at >= to_timestamp(p.at) AND ${row}.received_at < to_timestamp(p.at + ${step / PARTS})`;
  const newest = `ORDER BY received_at DESC, seq DESC LIMIT ${EVENTS}`;
  const sampled =
    type === null
      ? `SELECT f.terms FROM event_search f WHERE ${within("f")} ${newest}`
      : `SELECT f.terms FROM (SELECT received_at, seq FROM events e WHERE ${within("e")} AND e.type = $3 ${newest}) e
          CROSS JOIN LATERAL (SELECT terms FROM event_search f WHERE f.workspace_id = $1 AND f.received_at = e.received_at AND f.seq = e.seq OFFSET 0) f`;
  const rows = await queryWithin<{ at: number; share: number }>(
    limitMs,
    `SELECT floor(p.at / ${step})::bigint * ${step} AS at, avg(CASE WHEN s.terms @@ $2::tsquery THEN 1 ELSE 0 END)::float8 AS share
     FROM (SELECT ${first} + n * ${step / PARTS}::float8 AS at FROM generate_series(0, ${length * PARTS - 1}) n) p
       CROSS JOIN LATERAL (${sampled}) s GROUP BY 1`,
    values,
  );
  return rows && new Map(rows.map(({ at, share }) => [at, share]));
}
