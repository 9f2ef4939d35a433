import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { changeSource } from "#lib/flows/sources/manage-sources";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { HMAC, useSenders } from "#tests/support/sender-source";
import { envelope, signed } from "#tests/support/webhooks";

const receiver = useNodeReceiver();
useDatabase();
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
  await changeSource(contextOf(made.owner, { audit: noAudit }), made.sourceId, {
    reading: { ...reading, about: ["Order {order.id} of {order.customer}"] },
  });
  expect(await listed(made.workspaceId)).toEqual({ [`${made.name} o-1`]: "Order 7 of Acme" });
  expect(await rebuilds()).toBe(before);
  await changeSource(contextOf(made.owner, { audit: noAudit }), made.sourceId, { reading: { ...reading, data: "order" } });
  expect(await rebuilds()).toBe(before + 1);
});
