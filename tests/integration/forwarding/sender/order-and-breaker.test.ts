import { beforeEach, describe, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { deleteDestination, pauseDestination, readDestination, resumeDestination } from "#lib/flows/forwarding/destinations";
import { useDatabase } from "#tests/support/database";
import { asOwner, makeDestination, receive, receiveAndApply } from "#tests/support/forwarding/destinations";
import {
  countStates,
  hurry,
  startSenders,
  until,
  untilArrived,
  untilAtLeast,
  untilIs,
  untilStates,
  useTargets,
} from "#tests/support/forwarding/senders";
import type { startTarget } from "#tests/support/forwarding/target";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1" });

const { open, target, withDestination } = useTargets();
beforeEach(() => {
  open.push(startSenders());
});
const status =
  (next: () => number): Parameters<typeof startTarget>[0] =>
  (_one, _request, response) => {
    response.statusCode = next();
    response.end();
  };
const stateOf = async (workspaceId: Parameters<typeof readDestination>[0], id: string) => (await readDestination(workspaceId, id))?.state;
describe("order", () => {
  test("within each subject events arrive in order while a third of the attempts fail, and subjects do not wait for each other", async () => {
    let answers = 0;
    const seen: string[] = [];
    const { source, id } = await withDestination({ ordered: true, concurrency: 5 }, (one, _request, response) => {
      answers += 1;
      const { data } = JSON.parse(one.body.toString());
      const stuck = data.documentId === "doc_stuck";
      const fails = stuck || answers % 3 === 0;
      if (!fails) seen.push(`${data.documentId} ${data.n}`);
      response.statusCode = fails ? 500 : 200;
      response.end();
    });
    // The breaker would hold everything back: this is about order alone.
    await pool().query("UPDATE destinations SET epoch = 1 WHERE id = $1", [id]);
    const subjects = ["doc_a", "doc_b", "doc_c", "doc_stuck"];
    const each = 6;
    for (let n = 0; n < each; n++)
      for (const documentId of subjects) await receiveAndApply(source, { data: { documentId, n, status: "completed" } });
    open.push(hurry());
    await untilArrived(seen, 3 * each);
    for (const subject of subjects.slice(0, 3))
      expect(seen.filter((name) => name.startsWith(subject))).toEqual(Array.from({ length: each }, (_, n) => `${subject} ${n}`));
    // Of the subject that fails, only one delivery at a time is tried: those before it are exhausted.
    const { rows } = await pool().query<{ n: number }>(
      "SELECT count(*) AS n FROM forward_deliveries WHERE subject = 'document:doc_stuck' AND tries > 0 AND state = 'pending'",
    );
    expect(rows[0]?.n).toBeLessThanOrEqual(1);
  }, 120_000);
});

describe("the circuit breaker", () => {
  test("opens after 20 failures in a row, holds what comes, probes with one delivery, and closes when it gets through", async () => {
    let works = false;
    let answerMs = 0;
    const { workspaceId, source, id, received } = await withDestination({ concurrency: 4 }, (_one, _request, response) => {
      response.statusCode = works ? 200 : 503;
      setTimeout(() => response.end(), answerMs);
    });
    for (let n = 0; n < 40; n++) await receiveAndApply(source);
    await untilIs(() => stateOf(workspaceId, id), "suspended");
    // The settings are read each second: a probe that takes longer is found due again while it is on its way.
    answerMs = 2500;
    await pool().query("UPDATE destinations SET probe_at = now() WHERE id = $1", [id]);
    await untilAtLeast(async () => (await pool().query("SELECT probes FROM destinations WHERE id = $1", [id])).rows[0]?.probes, 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { rows } = await pool().query<{ tried: number; probes: number }>(
      "SELECT count(*) FILTER (WHERE NOT probe) AS tried, count(*) FILTER (WHERE probe) AS probes FROM forward_attempts WHERE destination_id = $1",
      [id],
    );
    const [{ tried, probes } = { tried: 0, probes: 0 }] = rows;
    expect([probes, received.length]).toEqual([1, tried + 1]);
    // 70% of at least 10 open it, or 20 in a row, whichever comes first. Up to four were in flight then.
    expect(tried).toBeGreaterThanOrEqual(10);
    expect(tried).toBeLessThan(20 + 2 * 4);
    expect(await countStates(id)).toEqual({ pending: 40 });
    // A probe takes no attempt from its delivery.
    expect((await pool().query("SELECT sum(attempts) AS n FROM forward_deliveries WHERE destination_id = $1", [id])).rows).toEqual([
      { n: tried },
    ]);
    answerMs = 0;
    works = true;
    await pool().query("UPDATE destinations SET probe_at = now() WHERE id = $1", [id]);
    open.push(hurry());
    await untilStates(id, { delivered: 40 });
    expect(await stateOf(workspaceId, id)).toBe("active");
  });

  test("a 410 suspends at once and is not probed; the delivery that met it keeps all its attempts", async () => {
    const { workspaceId, source, id, received } = await withDestination(
      {},
      status(() => 410),
    );
    await receiveAndApply(source);
    await untilIs(() => stateOf(workspaceId, id), "suspended");
    expect(await readDestination(workspaceId, id)).toMatchObject({ reason: "gone", nextProbeAt: null, pending: 1 });
    expect((await pool().query("SELECT attempts FROM forward_deliveries WHERE destination_id = $1", [id])).rows).toEqual([{ attempts: 0 }]);
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(received).toHaveLength(1);
  });

  test("120 hours without a success suspend, however few the attempts are", async () => {
    const { workspaceId, source, id } = await withDestination(
      {},
      status(() => 500),
    );
    await pool().query("UPDATE destinations SET failing_since = now() - interval '119 hours 59 minutes' WHERE id = $1", [id]);
    await receiveAndApply(source);
    await untilStates(id, { pending: 1 });
    await until(
      async () => (await readDestination(workspaceId, id))?.lastFailure,
      (failure) => failure !== null && failure !== undefined,
    );
    expect(await stateOf(workspaceId, id)).toBe("active");
    await pool().query("UPDATE destinations SET failing_since = now() - interval '120 hours' WHERE id = $1", [id]);
    await receiveAndApply(source);
    await untilIs(() => stateOf(workspaceId, id), "suspended");
    expect(await readDestination(workspaceId, id)).toMatchObject({ reason: "no_success" });
  });
});

describe("a person", () => {
  test("pauses, and nothing is sent; resumes with all, the newest of each subject, or none", { tags: ["deep"] }, async () => {
    const { workspaceId, source } = await makeWorkspace();
    for (const [held, ids] of [
      ["all", ["1", "2", "3"]],
      ["newest_of_each_subject", ["2", "3"]],
      ["none", []],
    ] as const) {
      const { url, received } = await target();
      const { id } = await makeDestination(workspaceId, { url });
      await pauseDestination(asOwner(workspaceId), id);
      for (const [n, documentId] of [
        ["1", "doc_1"],
        ["2", "doc_1"],
        ["3", "doc_2"],
      ])
        await receiveAndApply(source, { data: { documentId, n } });
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(received).toHaveLength(0);
      expect(await resumeDestination(asOwner(workspaceId), id, held)).toEqual({ skipped: 3 - ids.length });
      await until(
        () => countStates(id),
        ({ delivered = 0, pending = 0 }) => delivered === ids.length && pending === 0,
      );
      expect(received.map(({ body }) => JSON.parse(body.toString()).data.n).sort()).toEqual(ids);
      await deleteDestination(asOwner(workspaceId), id);
    }
  });

  test("deletes, and what waits is cancelled and counted", async () => {
    const { workspaceId, source, id, received } = await withDestination();
    await pauseDestination(asOwner(workspaceId), id);
    await receive(source);
    await receiveAndApply(source);
    expect(await deleteDestination(asOwner(workspaceId), id)).toEqual({ cancelled: 2 });
    expect(await countStates(id)).toEqual({ cancelled: 2 });
    expect(await readDestination(workspaceId, id)).toBeNull();
    await receiveAndApply(source);
    expect(received).toHaveLength(0);
  });
});
