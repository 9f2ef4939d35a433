import { beforeAll, expect, it, test } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readEventFields, readEventValues } from "#lib/flows/events/payload-fields";
import { readEvent } from "#lib/flows/events/read-event";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { newWorker, TypeOfSource } from "#tests/support/learnt-types";
import { drainInbox } from "#tests/support/log-writer";
import { useNodeReceiver } from "#tests/support/receivers";
import { HMAC, useSenders } from "#tests/support/sender-source";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();
let own: { workspaceId: WorkspaceId; source: string };
let other: { workspaceId: WorkspaceId; source: string };

beforeAll(async () => {
  [own, other] = [await makeWorkspace(), await makeWorkspace()];
  await send(own.source, "evt_a", {
    status: "failed",
    beyond_the_fourth: 1,
    customer: { name: "Acme" },
    items: [{ sku: "a" }, { sku: "b" }],
  });
  await send(own.source, "evt_b", { status: null, pages: 0 });
  await send(other.source, "evt_theirs", { status: "secret" });
  await drainInbox();
});

async function send(source: string, id: string, data: Record<string, unknown>): Promise<void> {
  expect((await receiver.send(source, signed(envelope({ id, type: "document.error", data })))).status).toBe(200);
}

test("payload fields are read by event and path; a field without a value, an unknown event and another workspace's are absent", async () => {
  const paths = ["data.status", "data.customer.name", "data.items.sku", "data.pages", "data.beyond_the_fourth"];
  const found = await readEventValues(own.workspaceId, ["evt_a", "evt_b", "evt_none", "evt_theirs"], paths);
  expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: "evt_a", source: own.source, values: { "data.status": "failed", "data.customer.name": "Acme", "data.items.sku": "a, b" } },
    { id: "evt_b", source: own.source, values: { "data.pages": "0" } },
  ]);
});

test("fields are those that were learnt, also of old events; of a type that is not known yet, those of recent events", async () => {
  newWorker();
  const workspace = await makeWorkspace();
  const status = (n: number) => (n % 2 === 0 ? "completed" : "failed");
  const known = new TypeOfSource(workspace);
  await known.learn(220, (n) => ({ status: status(n), customer: "Acme", ...(n === 1 && { rush: true }) }));
  const fresh = new TypeOfSource(workspace, "order.new");
  fresh.receivedFrom += 24 * 3_600_000;
  await fresh.receive(1, () => ({ channel: "web" }));
  const fields = new Map((await readEventFields(workspace.workspaceId, new Date())).map(({ path, values }) => [path, values]));
  expect(Object.fromEntries(fields)).toMatchObject({
    "data.status": ["completed", "failed"],
    "data.rush": ["false", "true"],
    "data.channel": ["web"],
    // One text in all recent events, but a customer's name is no choice among a few.
    "data.customer": [],
  });
});

const { makeSender } = useSenders(receiver);

async function listed(workspaceId: WorkspaceId, limit = 50): Promise<Record<string, string | undefined>> {
  const { data } = await listNamedEvents(workspaceId, {}, { limit, order: "received", now: new Date() });
  return Object.fromEntries(data.map(({ source, id, about }) => [`${source} ${id}`, about]));
}

const pull = (number: number, more = {}) =>
  JSON.stringify({ action: "opened", repository: { full_name: "acme/api" }, pull_request: { number, title: "Fix the login" }, ...more });
const named = (id: string) => ({ "x-github-delivery": id, "x-github-event": "pull_request" });

it("the list and the event itself say what an event is about, of any sender whose template knows", async () => {
  const { workspaceId, name, send, source } = await makeSender("github");
  expect((await send(pull(12), named("d-1"))).status).toBe(200);
  // Another source may use the same ID.
  expect((await receiver.send(source, signed(envelope({ id: "d-1", type: "document.error" })))).status).toBe(200);
  expect(await listed(workspaceId)).toEqual({ [`${name} d-1`]: "acme/api #12 Fix the login", [`${source} d-1`]: undefined });
  expect((await send(pull(13), named("d-2"))).status).toBe(200);
  expect(await readEvent(workspaceId, "d-2")).toMatchObject({ about: "acme/api #13 Fix the login" });
});

it("a body over 64 kB is not read for it, nor one past the first 2 MB of a page", async () => {
  const { workspaceId, name, send } = await makeSender("github");
  const sized = (bytes: number) => ({ filler: "x".repeat(bytes) });
  expect((await send(pull(1, sized(65_536)), named("large"))).status).toBe(200);
  for (let number = 1; number <= 36; number += 1) expect((await send(pull(number, sized(60_000)), named(`d-${number}`))).status).toBe(200);
  const found = await listed(workspaceId);
  expect(found).toHaveProperty([`${name} large`], undefined);
  expect(found[`${name} d-36`]).toBe("acme/api #36 Fix the login");
  expect(found).toHaveProperty([`${name} d-1`], undefined);
  expect(Object.values(found).filter((about) => about !== undefined)).toHaveLength(34);
});

it("a source of one's own says it by its reading, of stored events too, and its records are not rebuilt for it", async () => {
  const reading = { id: ["id"], type: ["type"] };
  const record = { kind: "order", id: "order.id" };
  const made = await makeSender("hmac", { scheme: { hmac: HMAC }, reading, records: "generic", record });
  const body = JSON.stringify({ id: "o-1", type: "order.paid", order: { id: 7, customer: "Acme" } });
  expect((await made.send(body)).status).toBe(200);
  expect(await listed(made.workspaceId)).toEqual({ [`${made.name} o-1`]: undefined });
  const rebuilds = async () =>
    (await pool().query("SELECT count(*)::int AS n FROM operations WHERE workspace_id = $1 AND kind = 'rebuild'", [made.workspaceId]))
      .rows[0].n;
  const before = await rebuilds();
  await made.change({ reading: { ...reading, about: ["Order {order.id} of {order.customer}"] } });
  expect(await listed(made.workspaceId)).toEqual({ [`${made.name} o-1`]: "Order 7 of Acme" });
  expect(await rebuilds()).toBe(before);
  await made.change({ reading: { ...reading, data: "order" } });
  expect(await rebuilds()).toBe(before + 1);
});
