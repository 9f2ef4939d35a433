import { expect, it } from "vitest";
import { changeSourceBody } from "#lib/contracts/sources/sources";
import { changeSource } from "#lib/flows/sources/manage-sources";
import { listViewPage } from "#lib/flows/views/read-views";
import { claimOperation, finishOperation, listOperations } from "#lib/operations/operation-store";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll } from "#tests/support/forwarding/destinations";
import { noAudit } from "#tests/support/no-audit";
import { rebuild } from "#tests/support/rebuild";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";

// Tried here: a second change of a source's records, while the first one's rebuild ran, was refused.

useDatabase();
const { makeSender } = useSenders(useNodeReceiver());

it("a second change of a source's records while one rebuilds is rebuilt after it, with the settings of then", async () => {
  const record = { kind: "invoice", id: "object.id" };
  const made = await makeSender("github", { reading: { id: ["id"], type: ["kind"] }, records: "generic", record });
  const { workspaceId, owner, sourceId, name } = made;
  await made.send('{"id":"evt_1","kind":"invoice.paid","object":{"id":"in_1"}}');
  await applyAll();
  const change = (kind: string) =>
    changeSource(contextOf(owner, { audit: noAudit }), sourceId, changeSourceBody.parse({ record: { ...record, kind } }));
  const run = async (work: () => Promise<unknown>) => {
    const claimed = await claimOperation("rebuild", "a worker");
    await work();
    await rebuild(workspaceId);
    await finishOperation(claimed?.id ?? "", "a worker", { outcome: "finished" });
    return claimed?.id;
  };
  await change("bill");
  const first = await run(async () => expect((await change("receipt")).record).toMatchObject({ kind: "receipt" }));
  expect((await listOperations(workspaceId, "rebuild", { limit: 9 })).data.map(({ state }) => state)).toEqual(["queued", "finished"]);
  expect(await run(async () => undefined)).not.toBe(first);
  expect(await claimOperation("rebuild", "a worker")).toBeNull();
  expect((await listViewPage(workspaceId, "record", { limit: 9 })).data.map(({ id }) => id)).toEqual([`${name}:receipt:in_1`]);
});
