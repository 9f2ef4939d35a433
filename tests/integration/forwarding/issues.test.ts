import { beforeEach, describe, expect, test } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { retryDelivery } from "#lib/flows/forwarding/deliveries";
import { deleteDestination, pauseDestination, resumeDestination } from "#lib/flows/forwarding/destinations";
import { readDeliveries } from "#lib/flows/forwarding/read-deliveries";
import { previewFilter } from "#lib/flows/forwarding/test-destination";
import { readIssues } from "#lib/flows/issues/issues";
import { readCounts } from "#lib/flows/overview/read-counts";
import { readOverview } from "#lib/flows/overview/read-overview";
import { findIssueOfEvent } from "#lib/issues/issue-store";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { asOwner, makeDestination, ownerOf, receive, receiveAndApply } from "#tests/support/forwarding/destinations";
import { countStates, startSenders, until, untilIs, untilStates, useTargets } from "#tests/support/forwarding/senders";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, withDestination } = useTargets();

const issuesOf = async (workspaceId: WorkspaceId) =>
  (await readIssues(workspaceId, { origin: "forwarding" }, { limit: 10 }, new Date())).data;
const statesOf = async (workspaceId: WorkspaceId) =>
  Object.fromEntries((await issuesOf(workspaceId)).map(({ code, state, failing }) => [code, `${state} ${failing}`]));
const is = (workspaceId: WorkspaceId, states: Record<string, string>) => untilIs(() => statesOf(workspaceId), states);

/** Returns what the overview says, but that no worker runs here. */
const conditionsOf = async (workspaceId: WorkspaceId) =>
  (await readOverview(workspaceId, new Date())).conditions.filter(({ sentence }) => !sentence.startsWith("The worker"));

/** A destination that answers as it is told. */
async function failing(status = 500) {
  const answer = { status };
  const { workspaceId, source, id } = await withDestination({ name: "Billing" }, (_one, _request, response) => {
    response.statusCode = answer.status;
    response.end();
  });
  await pool().query("UPDATE destinations SET failures_in_row = -1000000 WHERE id = $1", [id]);
  const send = async () => {
    await receiveAndApply(source);
  };
  return { workspaceId, source, id, answer, send, actor: ownerOf(workspaceId) };
}

/** Lets what waits at a destination fail for the last time. */
async function exhaust(id: string, deliveries: number): Promise<void> {
  await until(
    async () =>
      (await pool().query("SELECT 1 FROM forward_deliveries WHERE destination_id = $1 AND state = 'pending' AND attempts = 0", [id])).rows,
    ({ length }) => length === 0,
  );
  await pool().query(
    "UPDATE forward_deliveries SET attempts = 9, due_at = now() - interval '1 second' WHERE destination_id = $1 AND state = 'pending'",
    [id],
  );
  await untilStates(id, { exhausted: deliveries });
}

beforeEach(() => {
  open.push(startSenders());
});

describe("exhausted deliveries", () => {
  test("open one issue for their destination, which recovers when the last of them got through", async () => {
    const { workspaceId, id, answer, send, actor } = await failing();
    await send();
    await send();
    await exhaust(id, 2);
    await is(workspaceId, { deliveries_exhausted: "open 2" });
    const [issue] = await issuesOf(workspaceId);
    expect(issue).toMatchObject({
      title: "Billing",
      place: id,
      count: 2,
      failure: { what: "Deliveries to Billing are exhausted: Answered 500" },
    });
    const { conditions, openIssues } = await readOverview(workspaceId, new Date());
    expect(openIssues).toMatchObject({ forwarding: 1, processing: 0 });
    expect(conditions).toContainEqual({
      level: "failed",
      sentence: "2 events did not reach Billing and won't be tried again.",
      action: { label: "View exhausted deliveries", href: `/destinations/${id}?state=exhausted` },
    });
    expect((await readCounts(workspaceId, new Date())).openIssues).toBe(1);
    answer.status = 204;
    const { data } = await readDeliveries(workspaceId, { destination: id, state: ["exhausted"] }, { limit: 10 });
    await retryDelivery(contextOf(actor), data[0]?.id ?? "");
    await is(workspaceId, { deliveries_exhausted: "open 1" });
    await retryDelivery(contextOf(actor), data[1]?.id ?? "");
    await is(workspaceId, { deliveries_exhausted: "resolved 0" });
    expect((await issuesOf(workspaceId))[0]).toMatchObject({ stateCause: "settled" });
  });

  test("that fail again reopen it, and are no failure of the event itself", { tags: ["deep"] }, async () => {
    const { workspaceId, id, send, actor } = await failing();
    await send();
    await exhaust(id, 1);
    await is(workspaceId, { deliveries_exhausted: "open 1" });
    const { rows } = await pool().query<{ receivedAt: Date; seq: number }>(
      `SELECT received_at AS "receivedAt", seq FROM forward_deliveries WHERE destination_id = $1`,
      [id],
    );
    expect(rows[0] && (await findIssueOfEvent(workspaceId, rows[0]))).toBeNull();
    await pool().query("UPDATE issues SET state = 'resolved' WHERE workspace_id = $1", [workspaceId]);
    const { data } = await readDeliveries(workspaceId, { destination: id }, { limit: 1 });
    await retryDelivery(contextOf(actor), data[0]?.id ?? "");
    await exhaust(id, 1);
    await is(workspaceId, { deliveries_exhausted: "open 1" });
    expect((await issuesOf(workspaceId))[0]).toMatchObject({ stateCause: "recurred", count: 1 });
    await deleteDestination(contextOf(actor), id);
    await is(workspaceId, { deliveries_exhausted: "resolved 0" });
  });
});

describe("an event for which a destination's filter is too costly", () => {
  const filter = { data: { list: { $or: Array.from({ length: 900 }, (_, n) => ({ $eq: n + 1_000_000 })) } } };
  const costly = { data: { documentId: "doc_1", list: Array.from({ length: 2000 }, (_, n) => n) } };
  const matching = { data: { documentId: "doc_2", list: [1_000_000] } };

  test("is applied, stands exhausted with words, and goes out when a person sends it", async () => {
    const { workspaceId, source, id, url, received } = await withDestination({ name: "Billing", filter });
    const beside = await makeDestination(workspaceId, { url, name: "Beside", filter: { data: { list: 7 } } });
    await receive(source, { id: "evt_costly", ...costly });
    await receiveAndApply(source, { id: "evt_matching", ...matching });
    await until(
      () => Promise.all([countStates(id), countStates(beside.id)]),
      ([own, others]) => own.delivered === 1 && own.exhausted === 1 && others.delivered === 1,
    );
    await is(workspaceId, { deliveries_exhausted: "open 1" });
    expect((await issuesOf(workspaceId))[0]?.failure.what).toContain("The filter was stopped");
    const { data } = await readDeliveries(workspaceId, { destination: id, outcome: ["filter_too_costly"] }, { limit: 10 });
    expect(data).toMatchObject([
      { event: { id: "evt_costly" }, state: "exhausted", last: { outcome: "filter_too_costly", fix: expect.stringContaining("$in") } },
    ]);
    const { rows } = await pool().query("SELECT 1 FROM dead_letters WHERE workspace_id = $1", [workspaceId]);
    expect(rows).toEqual([]);
    await retryDelivery(asOwner(workspaceId), data[0]?.id ?? "");
    await is(workspaceId, { deliveries_exhausted: "resolved 0" });
    expect(received.map(({ headers }) => headers["signalbox-event-id"]).filter((each) => each === "evt_costly")).toHaveLength(2);
  });

  test("is counted apart by the preview, which ends when it cost enough", { tags: ["deep"] }, async () => {
    const { workspaceId, source } = await makeWorkspace();
    await receive(source, costly);
    await receiveAndApply(source, matching);
    const settings = { types: [], sources: [], filter };
    expect(await previewFilter(workspaceId, settings, new Date())).toMatchObject({ of: 2, matching: 1, tooCostly: 1, cutShort: false });
    const large = { data: { documentId: "doc_1", text: "x".repeat(900_000) } };
    for (let n = 0; n < 50; n += 1) await receiveAndApply(source, large);
    const { of, cutShort } = await previewFilter(workspaceId, settings, new Date());
    expect([cutShort, of < 50, of > 20]).toEqual([true, true, true]);
    expect(await previewFilter(workspaceId, { ...settings, filter: null }, new Date())).toMatchObject({ of: 52, cutShort: false });
  });
});

describe("a suspended destination", () => {
  test("opens an issue with the reason, and recovers by its own probe", async () => {
    const { workspaceId, id, answer, send } = await failing(410);
    await send();
    await is(workspaceId, { destination_suspended: "open 1" });
    const [issue] = await issuesOf(workspaceId);
    expect(issue?.failure.what).toBe("Billing is suspended: it answered 410 Gone");
    expect(await conditionsOf(workspaceId)).toMatchObject([{ level: "failed", action: { href: `/destinations/${id}` } }]);
    answer.status = 200;
    await pool().query("UPDATE destinations SET probe_at = now() WHERE id = $1", [id]);
    await is(workspaceId, { destination_suspended: "resolved 0" });
    expect(await conditionsOf(workspaceId)).toEqual([]);
  });

  test("recovers when a person resumes or pauses it", async () => {
    const { workspaceId, id, send, actor } = await failing(410);
    await send();
    await is(workspaceId, { destination_suspended: "open 1" });
    await pauseDestination(contextOf(actor), id);
    await is(workspaceId, { destination_suspended: "resolved 0" });
    await resumeDestination(contextOf(actor), id, "all");
    await is(workspaceId, { destination_suspended: "open 1" });
    await resumeDestination(contextOf(actor), id, "none");
    await is(workspaceId, { destination_suspended: "resolved 0" });
  });
});
