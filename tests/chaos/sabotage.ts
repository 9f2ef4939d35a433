import path from "node:path";
import pg from "pg";

/**
 * Faults that are put into a run, so that the checker shows that it detects them:
 * commits that are acknowledged before they are on disk, a log without its
 * unique key, a log, a view and a search that were tampered with, or a range of the log
 * that is marked as applied and was not.
 */
export const SABOTAGES = ["asynchronous-commit", "no-unique-key", "tampering", "skipped-range"] as const;
export type Sabotage = (typeof SABOTAGES)[number];

/** The module that the installation loads first, when the sabotage is one of the processes. */
export const preloadOf = (sabotage: Sabotage | null): string | undefined =>
  sabotage === "asynchronous-commit" ? path.join(import.meta.dirname, "asynchronous-commit.ts") : undefined;

/** Drops what keeps an event from being stored twice. To be done before anything is sent. */
export async function dropUniqueKey(databaseUrl: string): Promise<void> {
  await run(databaseUrl, ["ALTER TABLE event_keys DROP CONSTRAINT event_keys_pkey"]);
}

/** Some range is marked as applied the moment it is claimed: its worker finds nothing to do. To be done before anything is sent. */
export async function skipRange(databaseUrl: string): Promise<void> {
  await run(databaseUrl, [
    `CREATE FUNCTION skip_range() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.state := 'applied'; NEW.ended_at := now(); RETURN NEW; END $$`,
    "CREATE TRIGGER skip_range BEFORE INSERT ON log_ranges FOR EACH ROW WHEN (NEW.id = 5) EXECUTE FUNCTION skip_range()",
  ]);
}

/**
 * One event vanishes, one is doubled, one view forgets, one is of a document that only another sender named, one is not found any
 * more. To be done before the check.
 */
export async function tamper(databaseUrl: string): Promise<void> {
  await run(databaseUrl, [
    "DELETE FROM events WHERE (received_at, seq) IN (SELECT received_at, seq FROM events ORDER BY seq LIMIT 1)",
    `INSERT INTO events (received_at, seq, workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers)
     SELECT received_at, nextval('events_seq'), workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers FROM events ORDER BY seq LIMIT 1`,
    "UPDATE views SET registers = '{}' WHERE (workspace_id, kind, id) IN (SELECT workspace_id, kind, id FROM views WHERE kind = 'document' LIMIT 1)",
    `UPDATE views SET id = (SELECT convert_from(e.body, 'UTF8')::jsonb->'data'->>'documentId'
         FROM events e JOIN sources s ON s.id = e.source_id WHERE s.template <> 'platform' LIMIT 1)
      WHERE (workspace_id, kind, id) IN (SELECT workspace_id, kind, id FROM views WHERE kind = 'document' ORDER BY id DESC LIMIT 1)`,
    "UPDATE event_search SET terms = '' WHERE (received_at, seq) IN (SELECT received_at, seq FROM event_search ORDER BY seq DESC LIMIT 1)",
  ]);
}

async function run(databaseUrl: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Triggers that guard the log are for everybody but this.
    await client.query("SET session_replication_role = replica");
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
