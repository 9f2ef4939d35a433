import { expect, test } from "vitest";
import { boundLockWaits, isLockConflict } from "#lib/db/locks";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { codeOf } from "#lib/observability/logger";
import { useDatabase } from "../../support/database.ts";

useDatabase();

const names = async (connection?: Parameters<typeof prisma>[0]) =>
  (await prisma(connection).user.findMany({ select: { id: true }, orderBy: { id: "asc" } })).map(({ id }) => id);

test("what Prisma writes in a transaction is seen there alone, and undone with it", async () => {
  await prisma().user.create({ data: { id: "usr_a", email: "a@example.com" } });
  const ended = inTransaction(pool(), async (client) => {
    await prisma(client).user.create({ data: { id: "usr_b", email: "b@example.com" } });
    await client.query("UPDATE users SET name = 'Bea' WHERE id = 'usr_b'");
    expect(await prisma(client).user.findFirst({ where: { id: "usr_b" }, select: { name: true } })).toEqual({ name: "Bea" });
    expect(await names()).toEqual(["usr_a"]);
    throw new Error("undone");
  });
  await expect(ended).rejects.toThrow("undone");
  expect(await names()).toEqual(["usr_a"]);
});

test("calls of many transactions at once keep to their own", async () => {
  const before = await names();
  const ends = Array.from({ length: 40 }, (_, n) =>
    inTransaction(pool(), async (client) => {
      const id = `usr_many_${n}`;
      await prisma(client).user.create({ data: { id, email: `${id}@example.com` } });
      expect((await names(client)).filter((name) => !before.includes(name))).toContain(id);
      const changed = await prisma(client).user.updateManyAndReturn({ where: { id }, data: { name: id }, select: { name: true } });
      expect(changed).toEqual([{ name: id }]);
      if (n % 2 === 1) throw new Error("undone");
    }),
  );
  const results = await Promise.allSettled(ends);
  const failures = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
  expect(failures).toEqual(Array.from({ length: 20 }, () => "Error: undone"));
  expect((await names()).filter((id) => id.startsWith("usr_many_"))).toHaveLength(20);
});

test("a call of several statements is refused in a transaction, and the transaction goes on", async () => {
  await inTransaction(pool(), async (client) => {
    const nested = prisma(client).workspace.create({
      data: { id: "wsp_nested", name: "Nested", memberships: { create: { userId: "usr_a", role: "owner" } } },
    });
    await expect(nested).rejects.toThrow("several statements");
    await prisma(client).workspace.create({ data: { id: "wsp_plain", name: "Plain" } });
  });
  expect(await prisma().workspace.findMany({ select: { id: true } })).toEqual([{ id: "wsp_plain" }]);
});

test("an error of the database has the same code, whoever sent the statement", async () => {
  const twice = { id: "usr_twice", email: "twice@example.com" };
  await prisma().user.create({ data: twice });
  const codes = await Promise.all([
    prisma()
      .user.create({ data: twice })
      .then(() => "", codeOf),
    pool()
      .query("INSERT INTO users (id, email) VALUES ('usr_twice', 'twice@example.com')")
      .then(() => "", codeOf),
  ]);
  expect(codes).toEqual(["23505", "23505"]);
  await inTransaction(pool(), async (client) => {
    await client.query("SELECT 1 FROM users WHERE id = 'usr_twice' FOR UPDATE");
    const waiting = inTransaction(pool(), async (other) => {
      await boundLockWaits(other, 50);
      await prisma(other).user.updateMany({ where: { id: "usr_twice" }, data: { name: "Later" } });
    });
    expect(isLockConflict(await waiting.catch((error: unknown) => error))).toBe(true);
  });
});

test("an error repeats no argument of its call", async () => {
  const wrong = { id: "usr_x", email: "x@example.com", password: "canary-password" } as never;
  const error = await prisma()
    .user.create({ data: wrong })
    .catch((caught: Error) => caught);
  expect(String(error)).toContain("User.create");
  expect(String(error)).not.toMatch(/canary|example\.com/);
});
