import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { parseEnv, resetEnv } from "#lib/config/env";
import { examineSchema, migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { readEvent } from "#lib/flows/events/read-event";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { startDatabase } from "#lib/installation/database";
import { useDatabase } from "#tests/support/database";
import { drainInbox } from "#tests/support/log-writer";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

const database = useDatabase();

/** An empty database on the file's server, and a connection of its owner. */
async function makeEmpty() {
  const name = `empty_${randomBytes(4).toString("hex")}`;
  await pool().query(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(database.url());
  url.pathname = `/${name}`;
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  onTestFinished(async () => {
    await owner.end();
    resetEnv({ DATABASE_URL: database.url() });
    await pool().query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { name, url, owner };
}

/** A role of its own for the database, which has no more than it is given. */
async function withRole({ url, owner, name }: Awaited<ReturnType<typeof makeEmpty>>, prefix = "role") {
  const role = `${prefix}_${name}`;
  await owner.query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; REVOKE ALL ON DATABASE ${name} FROM PUBLIC; GRANT CONNECT ON DATABASE ${name} TO ${role}`,
  );
  onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)));
  const own = new URL(url);
  Object.assign(own, { username: role, password: "secret" });
  return { role, url: own.href };
}

const startOn = (url: string) => {
  resetEnv({ DATABASE_URL: url });
  return startDatabase();
};
const tablesIn = async (owner: pg.Client) =>
  (
    await owner.query<{ schema: string; n: number }>(
      "SELECT schemaname AS schema, count(*)::int AS n FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') GROUP BY 1",
    )
  ).rows;

// node-postgres#2640, immich static-pages#719
it("formats that a provider sets for the database change nothing that is read or written", async () => {
  const name = new URL(database.url()).pathname.slice(1);
  for (const [setting, value] of [
    ["datestyle", "German"],
    ["intervalstyle", "sql_standard"],
    ["bytea_output", "escape"],
  ])
    await pool().query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  await closePools();
  const { workspaceId, source } = await makeWorkspace();
  const { body, headers } = signed(envelope({ data: { text: "\u00e4\\b" } }));
  const receiver = createReceiver();
  const answer = (await (await receiveUntilKept(receiver, { source, headers, body })).body) as unknown;
  await drainInbox();
  const at = new Date("2026-07-13T12:00:00.123Z");
  await prisma().setupLink.create({ data: { tokenHash: "by-prisma", createdAt: at, expiresAt: at } });
  const { rows } = await pool().query("SELECT expires_at, interval '1 day 2 hours' AS span, '\\xe4'::bytea AS bytes FROM setup_links");
  expect(rows).toEqual([{ expires_at: at, span: expect.objectContaining({ days: 1, hours: 2 }), bytes: Buffer.from([0xe4]) }]);
  const id = (JSON.parse(typeof answer === "string" ? answer : Buffer.from(answer as Uint8Array).toString()) as { id: string }).id;
  expect((await readEvent(workspaceId, id))?.raw).toBe(body.toString());
});

// immich#16512, formbricks#6747, umami#2323, documenso#1738
it("with a search path of the role's, and a schema of its name, all tables are in public", async () => {
  const { name, url, owner } = await makeEmpty();
  await owner.query(`CREATE SCHEMA app; CREATE SCHEMA AUTHORIZATION CURRENT_USER; ALTER DATABASE ${name} SET search_path = app, "$user"`);
  await migrate(url.href);
  expect((await tablesIn(owner)).map(({ schema }) => schema)).toEqual(["public"]);
});

it("?schema= of another name is refused by name, before a table is made", () => {
  const words = /DATABASE_URL must not name another schema \(\?schema=\): Signalbox keeps its tables in the schema public/;
  expect(() => parseEnv({ DATABASE_URL: "postgresql://db.example/app?schema=app" })).toThrow(words);
  expect(parseEnv({ DATABASE_URL: "postgresql://db.example/app?schema=public" }).DATABASE_URL).toContain("schema=public");
});

// prisma/migrate#501, drizzle-orm#2161, databasement#567
it("each right that the role lacks is named with the statement that gives it, and that is enough", async () => {
  const made = await makeEmpty();
  const { role, url } = await withRole(made);
  const words = await startOn(url).then(String, (error: Error) => error.message);
  expect(words.split("\n")).toEqual([
    `The role ${role} lacks rights on the database ${made.name}. Nothing was changed. Run as the database's owner:`,
    `  GRANT USAGE, CREATE ON SCHEMA public TO "${role}";  -- for the tables`,
    `  GRANT CREATE ON DATABASE "${made.name}" TO "${role}";  -- for the schema of the job queue`,
    `  GRANT TEMPORARY ON DATABASE "${made.name}" TO "${role}";  -- rebuilds compare in temporary tables`,
  ]);
  expect(await tablesIn(made.owner)).toEqual([]);
  await made.owner.query(words.split("\n").slice(1).join("\n"));
  expect(await startOn(url)).toBeNull();
  expect((await migrate(url)).length).toBeGreaterThan(0);
});

it("tables that another role owns are named with that role", async () => {
  const made = await makeEmpty();
  const before = await withRole(made);
  await made.owner.query(`GRANT ALL ON SCHEMA public TO ${before.role}; GRANT ALL ON DATABASE ${made.name} TO ${before.role}`);
  await migrate(before.url);
  const { role, url } = await withRole(made, "new");
  await made.owner.query(`GRANT ALL ON SCHEMA public TO ${role}; GRANT ALL ON DATABASE ${made.name} TO ${role}`);
  await expect(startOn(url)).rejects.toThrow(
    `Run as a superuser:\n  GRANT "${before.role}" TO "${role}";  -- who owns the tables, such as _prisma_migrations: migrations change them`,
  );
  await made.owner.query(`GRANT ${before.role} TO ${role}`);
  expect(await startOn(url)).toBeNull();
});

it("tables that a superuser owns change their owner: nobody is told to become a superuser", async () => {
  const made = await makeEmpty();
  await migrate(made.url.href);
  const { role, url } = await withRole(made);
  await made.owner.query(`GRANT ALL ON SCHEMA public TO ${role}; GRANT ALL ON DATABASE ${made.name} TO ${role}`);
  const words = await startOn(url).then(String, (error: Error) => error.message);
  expect(words).toContain(`they are ${made.url.username}'s, such as _prisma_migrations: migrations change them`);
  expect(words).not.toContain("GRANT");
  await made.owner.query(words.split("\n").slice(1).join("\n"));
  expect(await startOn(url)).toBeNull();
  const left = `SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relowner <> '${role}'::regrole)
    + (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proowner <> '${role}'::regrole) AS n`;
  expect((await made.owner.query(left)).rows).toEqual([{ n: 0 }]);
});

it("the database's owner is told to run what it may run itself; what another role may, as that one", async () => {
  const made = await makeEmpty();
  const { role, url } = await withRole(made);
  await made.owner.query(`ALTER DATABASE ${made.name} OWNER TO ${role}`);
  onTestFinished(async () => void (await made.owner.query(`ALTER DATABASE ${made.name} OWNER TO CURRENT_USER`)));
  await made.owner.query(`ALTER SCHEMA public OWNER TO CURRENT_USER; REVOKE TEMPORARY ON DATABASE ${made.name} FROM ${role}`);
  const words = await startOn(url).then(String, (error: Error) => error.message);
  expect(words.split("\n")).toEqual([
    `The role ${role} lacks rights on the database ${made.name}. Nothing was changed. Run each as its comment says, or all as a superuser:`,
    `  GRANT USAGE, CREATE ON SCHEMA public TO "${role}";  -- as ${made.url.username}: for the tables`,
    `  GRANT TEMPORARY ON DATABASE "${made.name}" TO "${role}";  -- as ${role}, which may do this itself: rebuilds compare in temporary tables`,
  ]);
  const itself = new pg.Client({ connectionString: url });
  await itself.connect();
  await itself.query(words.split("\n")[2] ?? "").finally(() => itself.end());
  await made.owner.query("DROP SCHEMA public");
  await expect(startOn(url)).rejects.toThrow(
    `Run as ${role}, which may do this itself:\n  CREATE SCHEMA public AUTHORIZATION "${role}";  -- the tables are in it`,
  );
});

it.each(["20230101000000_init", "20990101000000_init"])("another program's ledger is told from a newer version's: %s", async (foreign) => {
  const { name, url, owner } = await makeEmpty();
  await owner.query(`CREATE TABLE _prisma_migrations (migration_name text, checksum text, finished_at timestamptz, rolled_back_at timestamptz);
    INSERT INTO _prisma_migrations VALUES ('${foreign}', '', now(), NULL)`);
  const words = `The database ${name} belongs to another program: it has that program's migration ${foreign} and no tables of Signalbox. Nothing was changed.\nCreate a database for Signalbox alone, and name it in DATABASE_URL.`;
  await expect(examineSchema(url.href)).rejects.toThrow(words);
  await expect(migrate(url.href)).rejects.toThrow(words);
  expect(await tablesIn(owner)).toEqual([{ schema: "public", n: 1 }]);
});

it("a table of another program that has a name of ours is named as that", async () => {
  const { url, owner } = await makeEmpty();
  await owner.query("CREATE TABLE users (id int)");
  await expect(migrate(url.href)).rejects.toThrow(
    /relation "users" already exists: another program made it\. Create a database for Signalbox alone/,
  );
});
