import { describe, expect, it } from "vitest";
import { createSourceBody } from "#lib/contracts/sources/sources";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { listViewPage, readView } from "#lib/flows/views/read-views";
import { runRebuilds } from "#lib/flows/views/rebuild-views";
import { startLoop } from "#tests/support/background-loop";
import { useDatabase } from "#tests/support/database";
import { drainInbox } from "#tests/support/log-writer";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender } = useSenders(receiver);

const RECORD = { kind: "invoice", id: "object.id", state: "object.status", title: "object.number" };
const body = (id: string, created: number, object: object) => JSON.stringify({ id, type: `invoice.${id}`, created, data: { object } });

/** A source of Stripe whose invoices are records, with three events of one invoice that came in disorder, and one of none. */
async function makeInvoices() {
  const made = await makeSender("stripe", { records: "generic", record: RECORD });
  await made.send(body("paid", 1_790_000_200, { id: "in_1", status: "paid", amount: 4200 }));
  await made.send(body("created", 1_790_000_000, { id: "in_1", status: "draft", number: "2026-17", amount: 4200 }));
  await made.send(body("sent", 1_790_000_100, { id: "in_1", status: "open", amount: 4100 }));
  await made.send(body("elsewhere", 1_790_000_300, { status: "open" }));
  await drainInbox();
  return { ...made, id: `${made.name}:invoice:in_1` };
}

/** A worker's rounds until nothing waits any more. */
async function rebuildAll(): Promise<void> {
  const rebuilds = startLoop(runRebuilds);
  const open = "SELECT 1 FROM operations WHERE kind = 'rebuild' AND finished_at IS NULL";
  await expect.poll(async () => (await pool().query(open)).rowCount, { timeout: 60_000 }).toBe(0);
  await rebuilds.stop();
}

describe("records of another sender", () => {
  it("hold what their events say, whatever their order, with the event of each field; events without the ID are none", async () => {
    const { workspaceId, name, id } = await makeInvoices();
    const { data } = await listViewPage(workspaceId, "record", { limit: 10, parent: name });
    expect(data).toMatchObject([{ id, label: "2026-17", state: "paid", failed: false, parent: name }]);
    const { fields } = data[0] ?? { fields: {} };
    expect(fields).toMatchObject({
      state: { value: "paid", eventId: "paid" },
      title: { value: "2026-17", eventId: "created" },
      recordId: { value: "in_1" },
      "data.object.amount": { value: 4200, eventId: "paid" },
    });
    const event = await readEvent(workspaceId, "sent");
    expect(event?.resources).toMatchObject([{ kind: "record", id }]);
    expect(event?.effects.find(({ field }) => field === "state")).toMatchObject({ before: { value: "draft" }, value: "open" });
    expect((await readEvent(workspaceId, "elsewhere"))?.resources).toEqual([]);
  });

  it("are read as of a moment", async () => {
    const { workspaceId, id } = await makeInvoices();
    const at = (seconds: number) => readView(workspaceId, "record", id, new Date(seconds * 1000).toISOString());
    expect(await at(1_790_000_150)).toMatchObject({ state: "open", fields: { "data.object.amount": { value: 4100 } } });
    expect(await at(1_789_999_999)).toBeNull();
  });

  it("follow the setting: a change asks for a rebuild, which makes those of now and takes away those of before", async () => {
    const { workspaceId, name, id, change } = await makeInvoices();
    await change({ record: { kind: "bill", id: "object.id" } });
    await rebuildAll();
    const ids = async () => (await listViewPage(workspaceId, "record", { limit: 10 })).data.map((record) => [record.id, record.state]);
    expect(await ids()).toEqual([[`${name}:bill:in_1`, "unknown"]]);
    expect(await change({ records: "none" })).toMatchObject({ records: "none", record: null });
    await rebuildAll();
    expect(await ids()).toEqual([]);
    expect(await readView(workspaceId, "record", id, null)).toBeNull();
  });

  it("need their kind and the path of their ID, and are no setting of other sources", async () => {
    const { change } = await makeSender("github");
    await expect(change({ records: "generic" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(change({ record: RECORD })).rejects.toMatchObject({ code: "invalid_request" });
    const given = { name: "one", template: "github", records: "generic" };
    expect(createSourceBody.safeParse({ ...given, record: { kind: "Pull request", id: "number" } }).success).toBe(false);
    expect(createSourceBody.safeParse({ ...given, record: { kind: "pull-request", id: "number", name: "x" } }).success).toBe(false);
  });
});
