import { expect, test } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { insertApiKey, listApiKeys, revokeApiKey } from "#lib/auth/api-key-store";
import { findActor } from "#lib/auth/find-actor";
import { prisma } from "#lib/db/prisma";
import { createApiKey } from "#lib/flows/members/members";
import { makeAccount } from "#tests/support/account";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { noAudit } from "#tests/support/no-audit";

useDatabase();

const ask = (authorization: string, cookie?: string, now = new Date()) =>
  findActor(new Headers({ authorization, ...(cookie && { cookie }) }), now);

test("a key opens its workspace with its role, until it is revoked, and neither the database nor the list holds it", async () => {
  const { workspaceId } = await makeAccount();
  const made = await insertApiKey(workspaceId, { name: "deploy", role: "viewer", createdBy: null });
  expect(made.key).toMatch(/^sbx_key1_[\w-]{50}$/);
  expect(JSON.stringify([await prisma().apiKey.findMany(), await listApiKeys(workspaceId)])).not.toContain(made.key);
  await expect(ask(`Bearer ${made.key}`)).resolves.toMatchObject({ workspaceId, role: "viewer", by: { kind: "key", name: "deploy" } });
  expect(await revokeApiKey(workspaceId, made.id, new Date())).toMatchObject({ id: made.id, name: "deploy" });
  await expect(ask(`Bearer ${made.key}`)).resolves.toBeNull();
  expect(await listApiKeys(workspaceId)).toEqual([]);
});

test("it is not made with an end in the past", async () => {
  const account = await makeAccount();
  const { now, at } = { now: new Date(), at: (ms: number) => new Date(Date.now() + ms).toISOString() };
  const actor = await findActor(new Headers({ cookie: account.cookie }), new Date());
  const make = (expiresAt: string) =>
    createApiKey(contextOf(actor as Actor, { now, audit: noAudit }), { name: "deploy", role: "viewer", expiresAt });
  for (const end of [at(-60_000), now.toISOString()]) await expect(make(end)).rejects.toMatchObject({ code: "invalid_request" });
  expect(await listApiKeys(account.workspaceId)).toEqual([]);
  const end = at(60_000);
  expect(await make(end)).toMatchObject({ expiresAt: end });
});

test("an expired key and a made-up key open nothing, even beside a good session", async () => {
  const { workspaceId, cookie } = await makeAccount();
  const made = await insertApiKey(workspaceId, { name: "deploy", role: "admin", createdBy: null });
  await prisma().apiKey.update({ where: { id: made.id }, data: { expiresAt: new Date() } });
  for (const authorization of [`Bearer ${made.key}`, `Bearer sbx_${"x".repeat(43)}`, "Bearer ", "Basic YTpi", `bearer${made.key}`])
    await expect(ask(authorization, cookie)).resolves.toBeNull();
});

test("the last use is noted, at most once a minute", async () => {
  const { workspaceId } = await makeAccount();
  const { key } = await insertApiKey(workspaceId, { name: "deploy", role: "admin", createdBy: null });
  const start = new Date();
  const lastUse = async () => (await listApiKeys(workspaceId))[0]?.lastUsedAt;
  await ask(`Bearer ${key}`, undefined, start);
  expect(await lastUse()).toBe(start.toISOString());
  await ask(`Bearer ${key}`, undefined, new Date(start.getTime() + 30_000));
  expect(await lastUse()).toBe(start.toISOString());
  await ask(`Bearer ${key}`, undefined, new Date(start.getTime() + 61_000));
  expect(await lastUse()).not.toBe(start.toISOString());
});
