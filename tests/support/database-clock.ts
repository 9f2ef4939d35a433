import { beforeAll } from "vitest";
import { DatabaseClient } from "#lib/db/client";
import { closePools, pool } from "#lib/db/pool";

const FUNCTIONS = ["now", "clock_timestamp", "statement_timestamp"];

/** Shadows the server's clock in the file's database: functions of another schema are found first. Call it after `useDatabase`. */
export function useDatabaseClock(): { setAhead: (interval: string) => Promise<unknown> } {
  const { applySettings } = DatabaseClient.prototype;
  beforeAll(async () => {
    await pool().query(`CREATE SCHEMA fake; CREATE TABLE fake.clock AS SELECT interval '0' AS ahead;
      ${FUNCTIONS.map((name) => `CREATE FUNCTION fake.${name}() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT pg_catalog.${name}() + ahead FROM fake.clock'`).join(";")}`);
    await closePools();
    DatabaseClient.prototype.applySettings = async function (this: DatabaseClient) {
      await applySettings.call(this);
      await this.query("SET search_path = fake, pg_catalog, public");
      return this;
    };
    return async () => {
      DatabaseClient.prototype.applySettings = applySettings;
      await closePools();
    };
  });
  return { setAhead: (interval) => pool().query("UPDATE fake.clock SET ahead = $1::interval", [interval]) };
}
