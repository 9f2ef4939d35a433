import { expect, test } from "vitest";
import { listMissingMigrations, migrate } from "#lib/db/migrate";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { EARLIER_MIGRATIONS } from "#tests/support/earlier-migrations";

const { url } = useDatabase();

const BASELINE = "20261129090000_baseline";

/** The ledger as a version before 1.0.0 left it. Migrations after the baseline stay: what they make is in this database. */
async function leave(names: string[]): Promise<void> {
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name <= $1", [BASELINE]);
  await pool().query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     SELECT 'id' || n, 'sum', name, now(), 1 FROM unnest($1::text[]) WITH ORDINALITY AS e (name, n)`,
    [names],
  );
}

const listApplied = async () =>
  (
    await pool().query<{ name: string }>("SELECT migration_name AS name FROM _prisma_migrations WHERE migration_name <= $1 ORDER BY 1", [
      BASELINE,
    ])
  ).rows.map(({ name }) => name);

test("a database with every migration before 1.0.0 lacks nothing, and the baseline is marked as applied", async () => {
  await leave(EARLIER_MIGRATIONS);
  expect(await listMissingMigrations(url())).toEqual([]);
  expect(await migrate(url())).toEqual([]);
  expect(await listApplied()).toEqual([...EARLIER_MIGRATIONS, BASELINE]);
  expect(await migrate(url())).toEqual([]);
  expect(await listApplied()).toHaveLength(EARLIER_MIGRATIONS.length + 1);
});

test.each([
  ["lacks the last", EARLIER_MIGRATIONS.slice(0, -1)],
  ["lacks one between", EARLIER_MIGRATIONS.toSpliced(40, 1)],
  ["has only the first", EARLIER_MIGRATIONS.slice(0, 1)],
])("one that %s of them is refused before anything is changed, and is told which version to pass by", async (_, names) => {
  await leave(names);
  const words =
    /prepared by a version before 1\.0\.0 .*Nothing was changed\.\nStart the version of the commit [0-9a-f]{8} on it once, then this one\.$/s;
  await expect(migrate(url())).rejects.toThrow(words);
  await expect(listMissingMigrations(url())).rejects.toThrow(words);
  expect(await listApplied()).toEqual(names);
});
