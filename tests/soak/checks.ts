import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { EVERY_TRY, EVERYTHING_WAITING } from "#tests/support/waiting";
import type { Acknowledged } from "./sender.ts";

/** Comparison of the database with what was acknowledged. Every number but the first two must be 0. */
export type CheckResult = {
  acknowledged: number;
  quarantined: number;
  /** Acknowledged with 200 and not in the log. */
  lost: number;
  /** Acknowledged with 202 and not in quarantine. */
  lostFromQuarantine: number;
  /** In the log with other bytes than were sent. */
  altered: number;
  storedTwice: number;
  /** Applied more than once without anybody asking for it. */
  appliedTwice: number;
  /** Neither applied nor explained when everything had been sent. */
  waiting: number;
  deadLetters: number;
};

const DRAIN_LIMIT_MS = 180_000;

/** Waits until nothing is pending, then compares log, quarantine and attempts with every acknowledgement. */
export async function check(databaseUrl: string, events: Acknowledged, quarantined: Acknowledged): Promise<CheckResult> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await drain(client);
    const log = await hashesOf(client, "SELECT event_id AS key, encode(sha256(body), 'hex') AS hash FROM events");
    const apart = await hashesOf(client, "SELECT id AS key, encode(sha256(body), 'hex') AS hash FROM quarantine WHERE verified");
    const kept = new Set([...apart.values()].flat());
    const count = async (sql: string) => Number((await client.query<{ n: string }>(sql)).rows[0]?.n ?? 0);
    return {
      acknowledged: events.size,
      quarantined: quarantined.size,
      lost: [...events.keys()].filter((key) => !log.has(key)).length,
      lostFromQuarantine: [...quarantined.values()].filter((hash) => !kept.has(hash)).length,
      altered: [...events].filter(([key, hash]) => log.has(key) && !log.get(key)?.includes(hash)).length,
      storedTwice: [...log.values()].filter((copies) => copies.length > 1).length,
      appliedTwice: await count(
        `SELECT count(*) AS n FROM (SELECT 1 FROM ${EVERY_TRY} a WHERE outcome = 'applied' AND redelivery_id IS NULL GROUP BY received_at, seq HAVING count(*) > 1) t`,
      ),
      waiting: await count(`SELECT count(*) AS n FROM ${EVERYTHING_WAITING} w`),
      deadLetters: await count("SELECT count(*) AS n FROM dead_letters"),
    };
  } finally {
    await client.end();
  }
}

/** True when nothing is wrong. */
export const isClean = ({ acknowledged, quarantined: _quarantined, ...faults }: CheckResult): boolean =>
  acknowledged > 0 && Object.values(faults).every((count) => count === 0);

async function hashesOf(client: pg.Client, sql: string): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ key: string; hash: string }>(sql);
  const hashes = new Map<string, string[]>();
  for (const { key, hash } of rows) hashes.set(key, [...(hashes.get(key) ?? []), hash]);
  return hashes;
}

async function drain(client: pg.Client): Promise<void> {
  for (const end = Date.now() + DRAIN_LIMIT_MS; Date.now() < end; await sleep(500)) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${EVERYTHING_WAITING} w LIMIT 1`);
    if (rowCount === 0) return;
  }
}
