import { beforeAll, expect, test } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { readEventFields, readEventValues } from "#lib/flows/events/payload-fields";
import { useDatabase } from "#tests/support/database";
import { newWorker, TypeOfSource } from "#tests/support/learnt-types";
import { drainInbox } from "#tests/support/log-writer";
import { useNodeReceiver } from "#tests/support/receivers";
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
