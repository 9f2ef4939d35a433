import { beforeAll, describe, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { exportEvents } from "#lib/flows/events/export-events";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { atSize, expectMemory } from "#tests/support/pace";
import { callRoute } from "#tests/support/routes";

useDatabase({ API_REQUESTS_PER_MINUTE: "1000000" });

const EVENTS = atSize(320, 72);
const MB = 1_048_576;

/** Events of 1 MB each, of one document and of the task and pipeline that it is worked on in, and their conflicting bodies. */
const FILL = `
WITH sent AS (
  SELECT nextval('events_seq') AS seq, now() - interval '1 day' + n * interval '1 second' AS at, 'evt_large_' || n AS id, 1000 + n AS created,
    convert_to('{"id":"evt_large_' || n || '","type":"task.created","created":' || 1000 + n || ',"data":{"taskId":"task_1","pipelineId":"pipe_1","documentId":"doc_1","stage":"Check","f' || n || '":"first",'
      || '"text":"' || repeat('x', ${MB}) || '"}}', 'UTF8') AS body
  FROM generate_series(1, $3::int) n
), keyed AS (
  INSERT INTO event_keys (source_id, event_id, workspace_id, received_at, seq, body_sha256) SELECT $2, id, $1, at, seq, sha256(body) FROM sent
), filed AS (
  INSERT INTO event_refs (workspace_id, kind, ref, received_at, seq)
  SELECT $1, kind, ref, at, seq FROM sent, (VALUES ('task', 'task_1'), ('pipeline', 'pipe_1'), ('document', 'doc_1')) AS r (kind, ref)
)
INSERT INTO events (received_at, seq, workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers)
SELECT at, seq, $1, $2, id, 'task.created', created, true, 'raw', 'sec', body, '{}' FROM sent`;

describe("a record with hundreds of events of 1 MB", () => {
  let account: TestAccount;

  beforeAll(async () => {
    account = await makeAccount();
    const { workspaceId } = account;
    await prisma().source.create({ data: { id: "src", workspaceId, name: "large" } });
    await pool().query("SELECT ensure_event_partitions((now() - interval '40 days')::date, 4)");
    await pool().query(FILL, [workspaceId, "src", EVENTS]);
    const data = { taskId: "task_1", pipelineId: "pipe_1", documentId: "doc_1", stage: "Done" };
    await append(workspaceId, "src" as never, [{ eventId: "evt_last", type: "task.created", created: 5000, data }]);
    await drainInbox();
    await pool().query(
      `INSERT INTO event_conflicts (source_id, event_id, body_sha256, workspace_id, received_at, body, headers)
       SELECT 'src', 'evt_last', sha256(n::text::bytea), $1, now(), convert_to(repeat('y', ${MB}), 'UTF8'), '{}' FROM generate_series(1, 20) n`,
      [workspaceId],
    );
  }, 120_000);

  const ask = async (route: string, params: Record<string, string>, query: Record<string, string> = {}) => {
    const answer = await callRoute("GET", route, { cookie: account.cookie }, { params, query });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const asOf = "1970-01-01T02:00:00Z";
  const eventPage = () => ask("api/v1/events/[id]", { id: "evt_last" });
  const past = () => ask("api/v1/tasks/[id]", { id: "task_1" }, { asOf });
  const board = () => ask("api/v1/pipelines/[id]/board", { id: "pipe_1" }, { asOf });

  test("is read up to a number of bytes, and the answer says how much was read", { tags: ["deep"], timeout: 120_000 }, async () => {
    const partly = { partial: true, coverage: { read: expect.any(Number), total: EVENTS + 1, more: false } };
    const then = await past();
    expect(then).toMatchObject({ status: 200, body: partly });
    // The newest event is small; fifteen of the others fit into 16 MB.
    expect((then.body.coverage as { read: number }).read).toBe(16);
    expect((then.body.fields as { stage: unknown }).stage).toMatchObject({ value: "Done", eventId: "evt_last" });
    expect((await board()).body).toMatchObject({ partial: true });
    const event = await eventPage();
    expect(event).toMatchObject({ status: 200, body: { partial: true, conflicts: 20 } });
    expect(event.body.partialHistories).toContainEqual({
      kind: "task",
      resourceId: "task_1",
      read: expect.any(Number),
      total: EVENTS + 1,
      more: false,
    });
    expect((event.body.effects as { beforeKnown: boolean }[]).map(({ beforeKnown }) => beforeKnown)).toContain(false);
    expect((event.body.conflictBodies as unknown[]).length).toBe(4);
  });

  test("takes little memory, and no more when many ask at once; none of them is answered 500", {
    tags: ["deep"],
    timeout: 300_000,
  }, async () => {
    await past();
    const peakOf = async (work: () => Promise<unknown>) => {
      (globalThis as { gc?: () => void }).gc?.();
      const before = process.memoryUsage().rss;
      let peak = before;
      const timer = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 5);
      await work();
      clearInterval(timer);
      return (Math.max(peak, process.memoryUsage().rss) - before) / MB;
    };
    const statuses: number[] = [];
    const note = (answer: { status: number }) => void statuses.push(answer.status);
    const single = await peakOf(async () => note(await past()));
    const many = await peakOf(() =>
      Promise.all([past, board, eventPage, past, board, eventPage].slice(0, atSize(6, 3)).map(async (each) => note(await each()))),
    );
    expectMemory(single, 150, "one at a time");
    expectMemory(many, 300, "several at once");
    // 429: on a slow machine a turn among one's own requests comes too late.
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  });

  test("is exported a few megabytes at a time, whole", { tags: ["deep"], timeout: 120_000 }, async () => {
    const sizes: number[] = [];
    for await (const part of exportEvents(account.workspaceId, {}, "csv", new Date())) sizes.push(part.length);
    expect(Math.max(...sizes)).toBeLessThan(5 * MB);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(EVENTS * MB);
  });

  test("is tried dry in parts, and the outcome says how many were left", { tags: ["deep"], timeout: 120_000 }, async () => {
    const headers = { cookie: account.cookie, origin: "http://localhost:3000" };
    const answer = await callRoute("POST", "api/v1/redeliveries", headers, { body: { filter: {}, dryRun: true } });
    const { outcome } = (await answer.json()) as { outcome: Record<string, number> };
    expect(outcome.total).toBe(EVENTS + 1);
    expect(outcome.untried).toBeGreaterThan(EVENTS - 70);
    expect(outcome.untried).toBeLessThan(EVENTS);
  });
});
