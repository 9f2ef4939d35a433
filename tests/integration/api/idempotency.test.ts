import { afterEach, beforeEach, expect, test } from "vitest";
import { prisma } from "#lib/db/prisma";
import { cleanUp } from "#lib/flows/clean-up";
import { useDatabase } from "#tests/support/database";
import { dumpDatabase } from "#tests/support/everything-stored";
import { clearWorlds, type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { callExample, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";

useDatabase({ SANDBOX: "on" });

let world: ExampleWorld;
let makeKey: DeclaredEndpoint;
let redeliver: DeclaredEndpoint;

beforeEach(async () => {
  world = await makeExampleWorld();
  const endpoints = await listDeclared();
  const find = (route: string) => endpoints.find((endpoint) => endpoint.route === route && endpoint.method === "POST") as DeclaredEndpoint;
  makeKey = find("api/v1/api-keys");
  redeliver = find("api/v1/events/[id]/redeliver");
});
afterEach(clearWorlds);

const send = (endpoint: DeclaredEndpoint, key: string, change = {}) =>
  callExample(endpoint, { cookie: world.cookie, origin: "http://localhost:3000", "idempotency-key": key }, change);

test("the same request again gets the same answer, secret and all, and does nothing", async () => {
  const [first, again] = [await send(makeKey, "a-1"), await send(makeKey, "a-1")];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect([first, again].map((answer) => answer.headers.get("idempotency-replayed"))).toEqual([null, "true"]);
  const made = await first.text();
  expect(await again.text()).toBe(made);
  expect(await prisma().apiKey.count({ where: { name: "nightly export" } })).toBe(1);
  expect(await dumpDatabase()).not.toContain((JSON.parse(made) as { key: string }).key);
});

test("twenty at once do it once; those that come too early are told so", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(redeliver, "b-1")));
  const before = await prisma().redelivery.count();
  expect(before).toBe(2); // the world's own, and this one
  for (const answer of answers) expect([202, 409]).toContain(answer.status);
  expect(await (await send(redeliver, "b-1")).json()).toMatchObject({ eventId: "evt_example" });
  expect(await prisma().redelivery.count()).toBe(2);
});

test("another body under the same key is refused with 422", async () => {
  await send(makeKey, "c-1");
  const answer = await send(makeKey, "c-1", { body: { name: "another", role: "viewer" } });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ code: "idempotency_mismatch" });
});

test("a key belongs to its caller and its address", async () => {
  await send(makeKey, "d-1");
  expect((await send(redeliver, "d-1")).headers.get("idempotency-replayed")).toBeNull();
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

test("what a dead process left is given up after two minutes, and an answer is kept for a day", async () => {
  await send(makeKey, "f-1");
  await prisma().idempotencyKey.updateMany({ data: { status: null } });
  expect(await (await send(makeKey, "f-1")).json()).toMatchObject({ status: 409, code: "idempotency_in_progress" });
  await prisma().idempotencyKey.updateMany({ data: { createdAt: new Date(Date.now() - 125_000) } });
  expect((await send(makeKey, "f-1")).status).toBe(201);
  const [kept] = await prisma().idempotencyKey.findMany();
  expect(Math.abs((kept?.expiresAt.getTime() ?? 0) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect((await cleanUp(new Date(Date.now() + 86_500_000))).requests).toBe(1);
});

test("an Idempotency-Key that is empty, too long or not printable is refused", async () => {
  for (const key of ["", "x".repeat(201), "with blank"]) expect((await send(makeKey, key)).status).toBe(400);
});
