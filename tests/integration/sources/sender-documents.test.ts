import { describe, expect, it } from "vitest";
import { type CreateSourceBody, changeSourceBody } from "#lib/contracts/sources/sources";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { readTimeline } from "#lib/flows/views/read-timeline";
import { countViewsOf, listViewPage, readView } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { KNOWN_SENDERS } from "#tests/support/known-senders/known-senders";
import type { Made } from "#tests/support/known-senders/made-requests";
import { drainInbox } from "#tests/support/log-writer";
import { rebuild } from "#tests/support/rebuild";
import { useNodeReceiver } from "#tests/support/receivers";
import { contractOf, SIGNERS } from "#tests/support/sender-contracts";
import { useSenders } from "#tests/support/sender-source";
import { envelope, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender } = useSenders(receiver);

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 20, 9);
const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();

async function makeContracts(template: keyof typeof SIGNERS, over: Partial<CreateSourceBody> = {}) {
  const { secret } = KNOWN_SENDERS[template];
  const made = await makeSender(template, { secret, ...over });
  const post = ({ body, headers, query }: Made) => made.post(body, headers, query === undefined ? "" : `?${query}`);
  const send = (step: "sent" | "viewed" | "completed", minute: number, tries = 0) =>
    post(contractOf(template, step, { now: START + minute * MINUTE, url: made.created.url, tries }));
  const id = `source-${made.name}:document:contract-1`;
  return { ...made, send, id };
}

const NOTHING = { missing: 0, surplus: 0, different: 0 };

describe.each(Object.keys(SIGNERS) as (keyof typeof SIGNERS)[])("a contract of %s", (template) => {
  it("is a document from sent to completed, with each state's time and the sender's word, now and as of any moment", async () => {
    const { workspaceId, send, id } = await makeContracts(template);
    expect((await send("completed", 30)).status).toBe(200);
    await send("sent", 0);
    await send("viewed", 10);
    await drainInbox();
    const now = await readView(workspaceId, "document", id, null);
    expect(now).toMatchObject({ id, kind: "document", label: "Lease of 7 Mill Lane", state: "completed", failed: false });
    expect(now?.fields).toMatchObject({
      senderState: { value: SIGNERS[template].words.completed },
      sentAt: { value: at(0) },
      viewedAt: { value: at(10) },
      completedAt: { value: at(30) },
      recordId: { value: "contract-1" },
    });
    const then = (minute: number) => readView(workspaceId, "document", id, at(minute));
    expect(await then(5)).toMatchObject({ state: "sent", fields: { senderState: { value: SIGNERS[template].words.sent } } });
    expect(await then(15)).toMatchObject({ state: "viewed" });
    expect(await then(-1)).toBeNull();
    const timeline = await readTimeline(workspaceId, "document", id, null);
    const states = timeline?.data.map(({ changes }) => changes.find(({ field }) => field === "state"));
    expect(states?.map((change) => change?.after)).toEqual(["completed", "viewed", "sent"]);
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject(NOTHING);
    // A retry of what was received changes nothing.
    for (const tries of [1, 2]) {
      expect((await send("sent", 0, tries)).status).toBe(200);
      expect((await send("completed", 30, tries)).status).toBe(200);
    }
    await drainInbox();
    const { rows } = await pool().query("SELECT count(*)::int AS n FROM events WHERE workspace_id = $1", [workspaceId]);
    expect(rows).toEqual([{ n: 3 }]);
    expect((await readView(workspaceId, "document", id, null))?.fields).toEqual(now?.fields);
  });
});

describe("documents of other platforms", () => {
  it("stand beside the platform's own: a list has the platform's, those of a named source, or all", async () => {
    const { workspaceId, source, name, send, id } = await makeContracts("docusign");
    await send("sent", 0);
    await receiver.send(
      source,
      signed(envelope({ data: { documentId: "doc_1", organizationId: "org_1", status: "completed", metadata: {} } })),
    );
    await drainInbox();
    const ids = async (of?: string) =>
      (await listViewPage(workspaceId, "document", { limit: 10, ...(of && { source: of }) })).data.map((record) => record.id).sort();
    expect(await ids()).toEqual(["doc_1"]);
    expect(await ids(name)).toEqual([id]);
    expect(await ids(source)).toEqual(["doc_1"]);
    expect(await ids("*")).toEqual(["doc_1", id]);
    expect(await ids("another")).toEqual([]);
    expect(await countViewsOf(workspaceId, "document", {})).toBe(1);
    expect(await countViewsOf(workspaceId, "document", { source: "*" })).toBe(2);
    expect(await countViewsOf(workspaceId, "task", { source: name })).toBe(0);
  });

  it("keep when a state was first reached, and are not left once they are completed", async () => {
    const { workspaceId, send, id } = await makeContracts("pandadoc");
    for (const [step, minute] of [
      ["viewed", 40],
      ["completed", 30],
      ["viewed", 10],
    ] as const)
      await send(step, minute);
    await drainInbox();
    const fields = { viewedAt: { value: at(10) }, completedAt: { value: at(30) } };
    expect(await readView(workspaceId, "document", id, null)).toMatchObject({ state: "completed", fields });
  });

  it("are touched by none of the platform's events, whatever ID those name", async () => {
    const { workspaceId, source, send, id } = await makeContracts("docusign");
    await send("sent", 0);
    const data = { documentId: id, organizationId: "org_1", name: "Forged", status: "completed", metadata: {} };
    const body = envelope({ id: "evt_forged", type: "document.deleted", data });
    expect((await receiver.send(source, signed(body))).status).toBe(200);
    await drainInbox();
    expect(await readView(workspaceId, "document", id, null)).toMatchObject({ state: "sent", label: "Lease of 7 Mill Lane" });
    expect(await readView(workspaceId, "document", `platform:${id}`, null)).toMatchObject({ state: "deleted" });
    expect((await readEvent(workspaceId, "evt_forged"))?.resources.map((each) => each.id)).toEqual([`platform:${id}`]);
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject(NOTHING);
  });

  it("follow a source's own words for states, and go with the setting", async () => {
    const { workspaceId, send, id, change } = await makeContracts("docusign");
    await send("sent", 0);
    await send("viewed", 10);
    await drainInbox();
    const record = { kind: "document", id: "data.envelopeId", states: { "envelope-sent": "draft" }, facts: { sentBy: "data.accountId" } };
    await change({ record });
    await rebuild(workspaceId, {});
    const own = await readView(workspaceId, "document", id, null);
    expect(own).toMatchObject({ state: "draft", label: id, fields: { sentBy: { value: "acc" } } });
    await change({ records: "none" });
    await rebuild(workspaceId, {});
    expect(await readView(workspaceId, "document", id, null)).toBeNull();
  });

  it("need a description: the template's or one of their own, with states that documents have", async () => {
    const { change } = await makeSender("github");
    await expect(change({ records: "documents" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(change({ records: "documents", record: { kind: "bill", id: "id" } })).rejects.toMatchObject({ code: "invalid_request" });
    const states = (of: Record<string, string>) =>
      changeSourceBody.safeParse({ record: { kind: "document", id: "id", states: of } }).success;
    expect(states({ opened: "viewed" })).toBe(true);
    expect(states({ opened: "looked at" })).toBe(false);
    const facts = (name: string) => changeSourceBody.safeParse({ record: { kind: "document", id: "id", facts: { [name]: "a" } } }).success;
    expect([facts("sentBy"), facts("state"), facts("data.x")]).toEqual([true, false, false]);
  });
});
