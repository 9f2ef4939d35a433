import { describe, expect, it } from "vitest";
import { redeliverEvent, redeliverSet, startHeld } from "#lib/flows/processing/redeliver-events";
import { findRedelivery, listRedeliveries, listRedeliveryEvents } from "#lib/processing/redelivery-store";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const document = (eventId: string, data: Record<string, unknown>) => ({ eventId, type: "document.uploaded", created: 1_760_000_000, data });

describe("the events of a re-delivery", () => {
  it("are listed with what came of each, by outcome and page by page; a single one is named", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await append(workspaceId, sourceId, [document("good_1", { documentId: "doc_1" }), document("bad", { nothing: true })]);
    await append(workspaceId, sourceId, [document("good_2", { documentId: "doc_2" })]);
    await drainInbox();
    const { id } = await redeliverSet(
      workspaceId,
      { eventIds: ["good_1", "bad", "good_2"] },
      { now: new Date(), name: null, requestedBy: "ada", hold: true },
    );
    const list = (outcome?: "applied" | "failed" | "waiting" | "not_tried", cursor?: string) =>
      listRedeliveryEvents(workspaceId, id ?? "", { outcome }, { limit: 2, cursor });
    expect((await list("not_tried")).data).toHaveLength(2);
    await startHeld(workspaceId, id ?? "");
    expect((await list("waiting")).data).toHaveLength(2);
    await drainInbox();
    const first = await list();
    const rest = await list(undefined, first.nextCursor ?? "");
    expect([...first.data, ...rest.data].map(({ eventId, outcome }) => [eventId, outcome]).sort()).toEqual([
      ["bad", "failed"],
      ["good_1", "applied"],
      ["good_2", "applied"],
    ]);
    const [failed] = (await list("failed")).data;
    expect(failed).toMatchObject({ eventId: "bad", failure: expect.stringContaining("has no document ID") });
    const stranger = await makeWorkspace();
    expect((await listRedeliveryEvents(stranger.workspaceId, id ?? "", {}, { limit: 2 })).data).toEqual([]);

    const single = await redeliverEvent(workspaceId, "bad", "ada");
    await drainInbox();
    expect(await findRedelivery(workspaceId, single ?? "")).toMatchObject({ event: { id: "bad", type: "document.uploaded" }, failed: 1 });
    expect((await listRedeliveries(workspaceId, { limit: 5 })).data.map(({ event }) => event?.id)).toEqual(["bad", undefined]);
  });
});
