import { pool } from "#lib/db/pool";

/**
 * Does something in the database each time that an event is applied, in the transaction that applies it: with its
 * range, or from the inbox.
 *
 * @param action PL/pgSQL statements about the row `event` of the log
 */
export async function whileApplying(name: string, action: string): Promise<void> {
  await pool().query(`
    CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE event events; BEGIN
      IF TG_TABLE_NAME = 'attempts' THEN
        FOR event IN SELECT * FROM events e WHERE e.received_at = NEW.received_at AND e.seq = NEW.seq LOOP ${action} END LOOP;
      ELSE
        FOR event IN SELECT * FROM events e WHERE e.workspace_id = NEW.workspace_id AND (e.xid, e.seq) > (NEW.from_xid, NEW.from_seq)
          AND (e.xid, e.seq) <= (NEW.to_xid, NEW.to_seq) LOOP ${action} END LOOP;
      END IF;
      RETURN NEW; END $$`);
  await onApplying(name);
}

/** Calls a trigger function of the test's own for each range that is applied, and for each event that is applied from the inbox. */
export async function onApplying(name: string): Promise<void> {
  await pool().query(`
    CREATE OR REPLACE TRIGGER ${name} BEFORE INSERT ON attempts FOR EACH ROW WHEN (NEW.outcome = 'applied') EXECUTE FUNCTION ${name}();
    CREATE OR REPLACE TRIGGER ${name} BEFORE UPDATE ON log_ranges FOR EACH ROW WHEN (NEW.state IN ('applied', 'partly')) EXECUTE FUNCTION ${name}()`);
}
