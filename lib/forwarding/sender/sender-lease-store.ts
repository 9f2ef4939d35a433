import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { DestinationMode, DestinationState } from "#lib/contracts/forwarding/destinations";
import { column, columnsSql, type RowOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { queryRows } from "#lib/db/rows";
import type { StoredUrl } from "#lib/vault/sealed-values";
import type { StoredOwnHeaders } from "../own-headers-store.ts";

/** Time for which a worker may send to a destination without renewing its lease. Milliseconds. */
export const LEASE_MS = 10_000;

const LEASED = {
  id: column<string>(),
  workspaceId: column<WorkspaceId>(),
  name: column<string>(),
  mode: column<DestinationMode>(),
  ordered: column<boolean>(),
  rate: column<number | null>(),
  concurrency: column<number>(),
  state: column<DestinationState>(),
  epoch: column<number>(),
  probes: column<number>(),
};

/** `isDue`: a delivery is due, or the probe of a suspended destination. */
export type LeasedDestination = StoredUrl & StoredOwnHeaders & RowOf<typeof LEASED> & { isDue: boolean };

const COLUMNS = `${columnsSql(LEASED, "d")}, d.url, d.url_sealed AS "urlSealed", d.header_names AS "headerNames", d.headers_sealed AS "headersSealed"`;

/** Renews and takes leases by the database's clock, no more than a worker's share of all destinations. */
const LEASE = `WITH share AS (SELECT ceil(count(*)::numeric / greatest($3, 1))::int AS most FROM destinations WHERE deleted_at IS NULL),
  renewed AS (
    UPDATE destination_senders s SET until = now() + make_interval(secs => $2) FROM destinations d
    WHERE s.sender = $1 AND d.id = s.destination_id AND d.deleted_at IS NULL RETURNING s.destination_id),
  free AS (
    SELECT d.id, d.workspace_id FROM destinations d LEFT JOIN destination_senders s ON s.destination_id = d.id
    WHERE d.deleted_at IS NULL AND (s.destination_id IS NULL OR (s.until < now() AND s.sender <> $1))
    ORDER BY d.id LIMIT greatest(0, (SELECT most FROM share) - (SELECT count(*) FROM renewed))),
  taken AS (
    INSERT INTO destination_senders AS s (destination_id, workspace_id, sender, until)
    SELECT id, workspace_id, $1, now() + make_interval(secs => $2) FROM free
    ON CONFLICT (destination_id) DO UPDATE SET sender = excluded.sender, until = excluded.until WHERE s.until < now()
    RETURNING s.destination_id)
  SELECT destination_id AS id, false AS "isNew", (SELECT most FROM share) AS most FROM renewed
  UNION ALL SELECT destination_id, true, (SELECT most FROM share) FROM taken`;

/** SQL: true if a sender has a destination now, by the database's clock, as a machine's own may have been suspended. */
export const leasedSql = (destination: string, sender: string): string =>
  `EXISTS (SELECT 1 FROM destination_senders s WHERE s.destination_id = ${destination} AND s.sender = ${sender} AND s.until > now())`;

/** Renews this worker's leases for LEASE_MS and takes free destinations up to its share. `taken`: not held before. */
export async function leaseDestinations(sender: string, workers: number): Promise<{ ids: string[]; taken: Set<string>; share: number }> {
  const { rows } = await pool("forwarding").query<{ id: string; isNew: boolean; most: number }>({
    name: "destinations-lease",
    text: LEASE,
    values: [sender, LEASE_MS / 1000, workers],
  });
  const taken = new Set(rows.filter(({ isNew }) => isNew).map(({ id }) => id));
  return { ids: rows.map(({ id }) => id), taken, share: rows[0]?.most ?? 0 };
}

export const listLeased = (ids: string[]): Promise<LeasedDestination[]> =>
  queryRows<LeasedDestination>(pool("forwarding"), {
    name: "destinations-leased",
    text: `SELECT ${COLUMNS}, (
        CASE d.state WHEN 'active' THEN
            EXISTS (SELECT 1 FROM forward_deliveries f WHERE f.destination_id = d.id AND f.state = 'pending' AND f.due_at <= now())
          WHEN 'suspended' THEN
            coalesce(d.probe_at <= now(), false) AND EXISTS (SELECT 1 FROM forward_deliveries f WHERE f.destination_id = d.id AND f.state = 'pending')
          ELSE false END) AS "isDue"
      FROM destinations d WHERE d.id = ANY($1::text[]) AND d.deleted_at IS NULL`,
    values: [ids],
  });

export async function releaseDestinations(sender: string, ids: string[]): Promise<void> {
  await pool("forwarding").query("DELETE FROM destination_senders WHERE sender = $1 AND destination_id = ANY($2::text[])", [sender, ids]);
}
