import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Most test messages, and the time that they are counted in. `others` counts addresses that are no member's. */
const LIMITS = {
  person: { most: 10, ms: 10 * MINUTE_MS },
  channel: { most: 5, ms: 10 * MINUTE_MS },
  address: { most: 5, ms: HOUR_MS },
  other: { most: 1, ms: DAY_MS },
  others: { most: 50, ms: DAY_MS },
} as const;

/** A test as it is asked for. `askedBy`: a person's id or a key's; `recipients`: email addresses, none for other kinds; `members`: those that are members', in small letters. */
export type WantedTest = { sendId: number; channelId: string; askedBy: string; recipients: string[]; members: string[] };

/** The limit that is reached, and when there is room again. `address`: whose it is, where it is one's. */
export type TestLimit = { what: keyof typeof LIMITS; most: number; address: string | null; until: Date };

type Row = { workspaceId: string; sendId: number; channelId: string; askedBy: string; address: string | null; known: boolean; at: Date };

/**
 * Counts a test message against the limits of who asks, of the channel and of each recipient, in the transaction that writes it: two at
 * once are counted one after the other. An address that is no member's gets one a day, whoever asks and in whichever workspace.
 *
 * @returns the limit that is reached; null when the test may go on
 */
export async function claimTest(client: pg.PoolClient, workspaceId: WorkspaceId, test: WantedTest, now: Date): Promise<TestLimit | null> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('signalbox_alert_tests'))");
  const addresses = [...new Set(test.recipients.map((address) => address.toLowerCase()))];
  const others = addresses.filter((address) => !test.members.includes(address));
  const { rows } = await client.query<Row>(
    `SELECT workspace_id AS "workspaceId", send_id AS "sendId", channel_id AS "channelId", asked_by AS "askedBy", address, known, at
       FROM alert_tests WHERE at > $1 AND (workspace_id = $2 OR asked_by = $3 OR address = ANY($4)) ORDER BY at`,
    [new Date(now.getTime() - DAY_MS), workspaceId, test.askedBy, addresses],
  );
  const limit = findLimit(rows, { ...test, workspaceId }, addresses, others, now);
  if (limit) return limit;
  await client.query(
    `INSERT INTO alert_tests (workspace_id, send_id, channel_id, asked_by, address, known, at)
     SELECT $1, $2, $3, $4, address, address IS NULL OR address <> ALL($6::text[]), $7 FROM unnest($5::text[]) AS u (address)`,
    [workspaceId, test.sendId, test.channelId, test.askedBy, addresses.length > 0 ? addresses : [null], others, now],
  );
  return null;
}

type Test = Pick<WantedTest, "channelId" | "askedBy"> & { workspaceId: string };

function findLimit(rows: Row[], test: Test, addresses: string[], others: string[], now: Date): TestLimit | null {
  const reached = (what: keyof typeof LIMITS, counted: Row[], added = 1, address: string | null = null): TestLimit | null => {
    const { most, ms } = LIMITS[what];
    const recent = counted.filter(({ at }) => at.getTime() > now.getTime() - ms);
    const over = recent.length + added - most;
    if (over <= 0) return null;
    const freed = recent[Math.min(over, recent.length) - 1]?.at ?? now;
    return { what, most, address, until: new Date(freed.getTime() + ms) };
  };
  const tests = [...new Map(rows.map((row) => [row.sendId, row])).values()];
  const own = ({ workspaceId, askedBy }: Row) => workspaceId === test.workspaceId || askedBy === test.askedBy;
  const of = (address: string) => rows.filter((row) => row.address === address);
  return (
    reached(
      "person",
      tests.filter(({ askedBy }) => askedBy === test.askedBy),
    ) ??
    reached(
      "channel",
      tests.filter(({ channelId }) => channelId === test.channelId),
    ) ??
    others.map((address) => reached("other", of(address), 1, address)).find((limit) => limit !== null) ??
    addresses.map((address) => reached("address", of(address), 1, address)).find((limit) => limit !== null) ??
    reached(
      "others",
      rows.filter((row) => !row.known && own(row)),
      others.length,
    )
  );
}

/** Counts a test that did not arrive against nobody's address. */
export async function forgetRecipients(sendId: number): Promise<void> {
  await pool().query("UPDATE alert_tests SET address = NULL, known = true WHERE send_id = $1", [sendId]);
}

/** Removes what no limit counts any more. @returns how many rows went */
export async function deleteOldTests(now: Date): Promise<number> {
  const { rowCount } = await pool().query("DELETE FROM alert_tests WHERE at < $1", [new Date(now.getTime() - DAY_MS)]);
  return rowCount ?? 0;
}
