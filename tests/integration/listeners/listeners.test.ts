import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { readListenPage } from "#lib/events/feed-store";
import { countWaiting, findBeginning } from "#lib/flows/listeners/listen";
import {
  deleteGoneListeners,
  deleteListener,
  insertLocalDeliveries,
  listListeners,
  listLocalDeliveries,
  markListenerSeen,
  newListener,
} from "#lib/listeners/listener-store";
import { useDatabase } from "#tests/support/database";
import { append, passHorizon } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

it("a listener that was unseen for a minute is forgotten, and is in the list again as it was when it is seen", async () => {
  const { workspaceId } = await makeWorkspace();
  const settings = { name: "laptop", url: "http://localhost:4000", types: [], source: null, openedBy: "Ada" };
  const listener = newListener({ ...settings, connectedAt: new Date() });
  await markListenerSeen(workspaceId, listener);
  const [before] = await listListeners(workspaceId);
  await pool().query("UPDATE listeners SET seen_at = seen_at - interval '61 seconds'");
  expect(await listListeners(workspaceId)).toEqual([]);
  expect(await deleteGoneListeners()).toBe(1);
  await markListenerSeen(workspaceId, listener);
  expect(await listListeners(workspaceId)).toEqual([before]);
  expect(before).toMatchObject({ name: "laptop", openedBy: "Ada" });
  await deleteListener(workspaceId, listener.id);
  expect(await listListeners(workspaceId)).toEqual([]);
});

it("what a local app answered is kept once when it is reported again, after the answer to its report was lost", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  await append(workspaceId, sourceId, [{ eventId: "evt_1", type: "task.created", created: 1, data: {} }]);
  const answer = { command: "listen", listener: "laptop", url: "http://localhost:4000", status: 200, durationMs: 5 } as const;
  const first = { ...answer, eventId: "evt_1", at: "2026-11-23T10:00:00.123Z" };
  expect(await insertLocalDeliveries(workspaceId, [first], "Ada")).toBe(1);
  expect(await insertLocalDeliveries(workspaceId, [first, { ...first, at: "2026-11-23T10:00:00.124Z" }], "Ada")).toBe(1);
  expect(await listLocalDeliveries(workspaceId, "evt_1")).toHaveLength(2);
});

it("a listener for types by their beginning gets those and no others, counted alike, and a beginning that no event has is named", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const types = ["invoice.paid", "invoices.paid", "document.error", "document.processed"];
  await append(
    workspaceId,
    sourceId,
    types.map((type, n) => ({ eventId: `evt_${n}`, type, created: 1, data: {} })),
  );
  await passHorizon();
  const asked = (type: string[]) => ({ type, since: "2026-01-01T00:00:00Z" });
  for (const [type, expected] of [
    [["invoice.*"], ["invoice.paid"]],
    [
      ["document.*", "invoices.paid"],
      ["document.error", "document.processed", "invoices.paid"],
    ],
    [["*"], types],
    [["document"], []],
  ] as [string[], string[]][]) {
    const { cursor } = await findBeginning(workspaceId, asked(type));
    const { rows } = await readListenPage(workspaceId, cursor, { type }, 10);
    expect(rows.map((row) => row.type).sort()).toEqual(expected.toSorted());
    expect((await countWaiting(workspaceId, asked(type), new Date())).count).toBe(expected.length);
  }
  const { unknown } = await countWaiting(workspaceId, asked(["invioce.*", "document.*"]), new Date());
  expect(unknown.map(({ message }) => message)).toEqual(["No event has the type `invioce.*`. Did you mean `invoice.*`?"]);
});
