import { test } from "vitest";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { useDatabase } from "../../support/database.ts";
useDatabase();
test("probe", async () => {
  await inTransaction(pool(), async (client) => {
    await client.query("SET LOCAL timezone = 'Europe/Zurich'");
    const at = new Date("2026-07-01T12:00:00.000Z");
    await client.query("INSERT INTO workspaces (id, name, created_at) VALUES ('w', 'W', $1)", [at]);
    console.log("pg wrote 12:00Z, prisma reads", (await prisma(client).workspace.findFirst({ where: { id: "w" } }))?.createdAt);
    await prisma(client).workspace.create({ data: { id: "v", name: "W", createdAt: at } });
    console.log("prisma wrote 12:00Z, pg reads", (await client.query("SELECT created_at FROM workspaces WHERE id = 'v'")).rows[0]);
  });
});
