import { afterEach, beforeEach, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { cleanUp } from "#lib/flows/installation/clean-up";
import { useDatabase } from "#tests/support/database";
import { dumpDatabase } from "#tests/support/dump-database";
import { clearWorlds, type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { callExample, type DeclaredEndpoint, findDeclared } from "#tests/support/routes";

useDatabase({ SANDBOX: "on" });

let world: ExampleWorld;
let makeKey: DeclaredEndpoint;
let redeliver: DeclaredEndpoint;

beforeEach(async () => {
  world = await makeExampleWorld();
  makeKey = await findDeclared("POST", "api/v1/api-keys");
  redeliver = await findDeclared("POST", "api/v1/events/[id]/redeliver");
});
afterEach(clearWorlds);

const send = (endpoint: DeclaredEndpoint, key: string, change = {}) =>
  callExample(endpoint, { cookie: world.cookie, origin: "http://localhost:3000", "idempotency-key": key }, change);

test("for a day the same request gets the same answer, secret and all, and does nothing; another body under its key is refused", async () => {
  const [first, again] = [await send(makeKey, "a-1"), await send(makeKey, "a-1")];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect([first, again].map((answer) => answer.headers.get("idempotency-replayed"))).toEqual([null, "true"]);
  const made = await first.text();
  expect(await again.text()).toBe(made);
  expect(await prisma().apiKey.count({ where: { name: "nightly export" } })).toBe(1);
  expect(await dumpDatabase()).not.toContain((JSON.parse(made) as { key: string }).key);
  const other = await send(makeKey, "a-1", { body: { name: "another", role: "viewer" } });
  expect([other.status, await other.json()]).toMatchObject([422, { code: "idempotency_mismatch" }]);
  const [kept] = await prisma().idempotencyKey.findMany();
  expect(Math.abs((kept?.expiresAt.getTime() ?? 0) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect((await cleanUp(new Date(Date.now() + 86_500_000))).requests).toBe(1);
});

test("twenty at once do it once; those that come too early are told so", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(redeliver, "b-1")));
  const before = await prisma().redelivery.count();
  expect(before).toBe(2); // the world's own, and this one
  for (const answer of answers) expect([202, 409]).toContain(answer.status);
  expect(await (await send(redeliver, "b-1")).json()).toMatchObject({ eventId: "evt_example" });
  expect(await prisma().redelivery.count()).toBe(2);
});

test("a key belongs to its caller and its address", async () => {
  const made = await (await send(makeKey, "d-1")).text();
  const asked = await send(redeliver, "d-1");
  expect(asked.headers.get("idempotency-replayed")).toBeNull();
  const again = [await send(makeKey, "d-1"), await send(redeliver, "d-1")];
  expect(await Promise.all(again.map((answer) => answer.text()))).toEqual([made, await asked.text()]);
  const other = await makeExampleWorld("other");
  const headers = { cookie: other.cookie, origin: "http://localhost:3000", "idempotency-key": "d-1" };
  expect((await callExample(makeKey, headers)).headers.get("idempotency-replayed")).toBeNull();
});

test("a request that failed may be sent again under its key", async () => {
  expect((await send(redeliver, "e-1", { params: { id: "evt_nowhere" } })).status).toBe(404);
  expect(await prisma().idempotencyKey.count()).toBe(0);
  expect((await send(makeKey, "e-2", { body: { name: "", role: "viewer" } })).status).toBe(400);
  expect((await send(makeKey, "e-2")).status).toBe(201);
});

const keysMade = () => prisma().apiKey.count({ where: { name: "nightly export" } });

test("a request that a dead process left is in progress for two minutes; then its outcome is unknown, and it is not done again", async () => {
  await send(makeKey, "g-1");
  await prisma().idempotencyKey.updateMany({ data: { status: null, answerSealed: null } });
  expect(await (await send(makeKey, "g-1")).json()).toMatchObject({ status: 409, code: "idempotency_in_progress" });
  await prisma().idempotencyKey.updateMany({ data: { createdAt: new Date(Date.now() - 125_000) } });
  expect(await (await send(makeKey, "g-1")).json()).toMatchObject({ status: 409, code: "idempotency_outcome_unknown" });
  expect(await keysMade()).toBe(1);
});

test.each([
  ["the statement that keeps it fails", () => failOn("UPDATE", 'NEW."answer_sealed" IS NOT NULL')],
  ["no statement on its key works any more", () => failOn("UPDATE OR DELETE", "true")],
])("where the work is done and its answer can't be kept, since %s, a repeat does not do it again", async (_, breakIt) => {
  const fix = await breakIt();
  const first = await send(makeKey, "h-1");
  expect(first.status).toBe(201);
  expect((await first.json()) as object).toHaveProperty("key");
  await fix();
  const again = await send(makeKey, "h-1");
  expect(again.status).toBe(409);
  expect(((await again.json()) as { code: string }).code).toMatch(/^idempotency_(answer_lost|in_progress)$/);
  expect(await keysMade()).toBe(1);
});

test("an answer that no key of the vault opens any more is lost, and its request is not done again", async () => {
  await send(makeKey, "i-1");
  await prisma().idempotencyKey.updateMany({ data: { answerSealed: "a.b.c.d.e" } });
  expect(await (await send(makeKey, "i-1")).json()).toMatchObject({ status: 409, code: "idempotency_answer_lost" });
  expect(await keysMade()).toBe(1);
});

test.each(["audit_entries", "inbox"])(
  "after an error of ours at %s the outcome is unknown, and a repeat does not do the work again",
  async (table) => {
    const before = await prisma().redelivery.count();
    const fix = await failOn("INSERT", "true", table);
    expect((await send(redeliver, "k-1")).status).toBe(500);
    await fix();
    expect(await (await send(redeliver, "k-1")).json()).toMatchObject({ status: 409, code: "idempotency_outcome_unknown" });
    expect(await prisma().redelivery.count()).toBe(before + 1);
  },
);

/** Makes statements on a table fail where a condition holds. @returns what takes the fault away again */
async function failOn(statements: string, condition: string, table = "idempotency_keys"): Promise<() => Promise<void>> {
  const when = condition === "true" ? "" : `WHEN (${condition})`;
  await pool().query(`
    CREATE OR REPLACE FUNCTION fail_for_a_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken for a test'; END $$;
    CREATE TRIGGER fail_for_a_test BEFORE ${statements} ON ${table} FOR EACH ROW ${when} EXECUTE FUNCTION fail_for_a_test()`);
  return async () => void (await pool().query(`DROP TRIGGER fail_for_a_test ON ${table}`));
}

test("an Idempotency-Key that is empty, too long or not printable is refused", async () => {
  for (const key of ["", "x".repeat(201), "with blank"]) expect((await send(makeKey, key)).status).toBe(400);
});
