import { beforeAll, expect, test } from "vitest";
import { closePools, inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { useDatabase } from "../../support/database.ts";

const database = useDatabase();
const AT = new Date("2026-07-01T12:00:00.123Z");

// As a server does whose owner set its time zone.
beforeAll(async () => {
  const name = new URL(database.url()).pathname.slice(1);
  await pool().query(`ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`);
  await closePools();
});

test("on a server of another time zone, SQL and Prisma write and read the same times", async () => {
  await prisma().setupLink.create({ data: { tokenHash: "by-prisma", createdAt: AT, expiresAt: AT } });
  await pool().query("INSERT INTO setup_links (token_hash, created_at, expires_at) VALUES ('by-sql', $1, $1)", [AT]);
  const bySql = await pool().query<{ expires_at: Date }>("SELECT expires_at FROM setup_links");
  const byPrisma = await prisma().setupLink.findMany({ where: { expiresAt: AT }, select: { expiresAt: true } });
  expect(bySql.rows.map((row) => row.expires_at)).toEqual([AT, AT]);
  expect(byPrisma.map((row) => row.expiresAt)).toEqual([AT, AT]);
});

test("the time of a row that nobody gives one is the database's", async () => {
  await inTransaction(pool(), async (client) => {
    await prisma(client).user.create({ data: { id: "usr_now", email: "now@example.com" } });
    const { rows } = await client.query<{ same: boolean }>(
      "SELECT created_at = now()::timestamptz(3) AS same FROM users WHERE id = 'usr_now'",
    );
    expect(rows).toEqual([{ same: true }]);
  });
});
