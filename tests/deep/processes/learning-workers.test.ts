import { afterAll, beforeAll, expect, it } from "vitest";
import { readSchemaHistory } from "#lib/flows/event-types/read-event-types";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { sendUntilKept } from "#tests/support/impatient-sender";
import { TypeOfSource } from "#tests/support/learnt-types";
import { nodeReceiver } from "#tests/support/receivers";
import { countWaiting } from "#tests/support/waiting";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

const database = useDatabase();
const receiver = nodeReceiver();
beforeAll(() => receiver.open());
afterAll(() => receiver.close());

const TYPE = "document.processed";

async function sender() {
  const workspace = await makeWorkspace();
  let sent = 0;
  /** Sends events and waits until a worker has applied them. */
  const send = async (count: number, more: Record<string, unknown> = {}) => {
    const numbers = Array.from({ length: count }, () => {
      sent += 1;
      return sent;
    });
    const bodies = numbers.map((n) =>
      envelope({
        id: `evt_${workspace.source}_${n}`,
        type: TYPE,
        created: 1_790_000_000 + n,
        data: { documentId: `doc_${n}`, status: "completed", ...more },
      }),
    );
    const answers = await Promise.all(bodies.map((body) => sendUntilKept(receiver, workspace.source, signed(body))));
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    await expect.poll(() => countWaiting(), { timeout: 60_000 }).toBe(0);
  };
  return { send, type: new TypeOfSource(workspace, TYPE) };
}

it("an update that replaces one worker after the other loses no count: a worker that stops hands on what it knows", async () => {
  const { send, type } = await sender();
  const old = await startWorker(database.url());
  await send(60);
  const [next] = await Promise.all([startWorker(database.url()), send(60)]);
  old.signal("SIGTERM");
  await send(60);
  await old.ended;
  await send(60);
  next.signal("SIGTERM");
  await next.ended;
  const { events, tree } = await type.read();
  expect(events).toBe(240);
  expect(tree.find(({ path }) => path === "data.status")).toMatchObject({ present: 240, seen: 240 });
});

it("a worker that is killed loses the counts of seconds and no event, and what only it had seen is found by the next", async () => {
  const { send, type } = await sender();
  const first = await startWorker(database.url());
  await send(60);
  await expect
    .poll(
      () =>
        type.read().then(
          ({ events }) => events,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(60);
  await send(40, { risk: "high" });
  first.signal("SIGKILL");
  await first.ended;
  const kept = (await type.read()).events;
  const next = await startWorker(database.url());
  await send(20, { risk: "high" });
  next.signal("SIGTERM");
  await next.ended;
  const { events, id, tree } = await type.read();
  figure(`of 40 events in the hands of a worker that was killed, ${kept - 60} were counted`);
  expect(events).toBe(kept + 20);
  expect(kept).toBeLessThanOrEqual(100);
  const risk = tree.find(({ path }) => path === "data.risk");
  expect(risk?.present).toBe(events - 60);
  const { data = [] } = (await readSchemaHistory(type.workspaceId, id, { limit: 50 })) ?? {};
  expect(data.filter(({ kind, path }) => kind === "field_appeared" && path === "data.risk")).toHaveLength(1);
});
