import type pg from "pg";

type Places = { receivedAt: string; seq: number }[];

const valuesOf = (places: Places) => [places.map(({ receivedAt }) => receivedAt), places.map(({ seq }) => seq)];

const deleteFrom = (table: string) =>
  `DELETE FROM ${table} t USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) WHERE t.received_at = u.at AND t.seq = u.seq`;

/** Deletes dead letters, attempts and places in frozen sets. Their counts move to the re-deliveries, whose progress stays as it was. */
export async function deleteTries(client: pg.PoolClient, events: Places): Promise<void> {
  await client.query(deleteFrom("dead_letters"), valuesOf(events));
  await client.query(
    `WITH tries AS (${deleteFrom("attempts")} RETURNING t.redelivery_id, t.outcome),
       items AS (${deleteFrom("redelivery_items")} RETURNING t.redelivery_id),
       fared AS (
         SELECT redelivery_id, count(*) FILTER (WHERE outcome = 'applied') AS applied, count(*) FILTER (WHERE outcome = 'failed') AS failed,
           count(*) FILTER (WHERE outcome = 'member') AS members
         FROM (SELECT redelivery_id, outcome FROM tries UNION ALL SELECT redelivery_id, 'member' FROM items) AS all_gone GROUP BY redelivery_id)
     UPDATE redeliveries r SET expired_applied = expired_applied + applied, expired_failed = expired_failed + failed,
       expired_untried = expired_untried + greatest(0, members - applied - failed)
     FROM fared WHERE r.id = fared.redelivery_id`,
    valuesOf(events),
  );
}

/** `lostFailing`: issues that lost an event that was still failed. */
type Losses = { issueIds: string[]; lostFailing: string[] };

export async function deleteFromIssues(client: pg.PoolClient, events: Places): Promise<Losses> {
  const { rows } = await client.query<{ issue_id: string; failing: boolean }>(
    `WITH gone AS (${deleteFrom("issue_events")} RETURNING t.issue_id, t.settled_at)
     SELECT issue_id, bool_or(settled_at IS NULL) AS failing FROM gone GROUP BY issue_id`,
    valuesOf(events),
  );
  return {
    issueIds: rows.map(({ issue_id }) => issue_id),
    lostFailing: rows.filter(({ failing }) => failing).map(({ issue_id }) => issue_id),
  };
}
