import { expect, it } from "vitest";
import { type ChangeSourceBody, changeSourceBody } from "#lib/contracts/sources/sources";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { changeSource } from "#lib/flows/sources/manage-sources";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll, ownerOf } from "#tests/support/forwarding/destinations";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { findDeclared } from "#tests/support/routes";
import { makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

async function makeSource(change: ChangeSourceBody) {
  const made = await makeWorkspace();
  await changeSource(contextOf(ownerOf(made.workspaceId), { audit: noAudit }), made.sourceId, change);
  receiver.renew();
  return made;
}

it("a platform source with the reading of the API's example is read by the receiver, the worker and the event's page alike", async () => {
  const { declaration } = await findDeclared("PATCH", "api/v1/sources/[id]");
  const example = changeSourceBody.parse(declaration.example?.body);
  expect(example.reading).toEqual({ id: ["id"], type: ["type"] });
  const { source, workspaceId } = await makeSource(example);
  // No envelope of the platform's: it has neither `created` nor `data`.
  const answer = await receiver.send(source, signed(JSON.stringify({ id: "evt_own", type: "document.uploaded", documentId: "doc_own" })));
  expect([answer.status, await answer.json()]).toEqual([200, { received: true, id: "evt_own", duplicate: false }]);
  await applyAll();
  expect(await readEvent(workspaceId, "evt_own")).toMatchObject({
    state: "processed",
    failure: null,
    resources: [{ kind: "document", id: "doc_own" }],
    effects: expect.arrayContaining([
      expect.objectContaining({ kind: "document", resourceId: "doc_own", field: "state", value: "uploaded" }),
    ]),
  });
});

it("one that reads the query of the URL reads it of a held request as well", async () => {
  const made = await makeSource({ reading: { id: ["query:delivery"], type: ["type"] }, paused: true });
  const answer = await receiver.send(`${made.source}?delivery=evt_in_query`, signed(JSON.stringify({ type: "document.uploaded" })));
  expect(answer.status).toBe(202);
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM quarantine WHERE workspace_id = $1", [made.workspaceId]);
  expect(await releaseQuarantined(made.workspaceId, rows[0]?.id ?? "", "Ada", new Date())).toMatchObject({ eventId: "evt_in_query" });
});
