import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { atSize, expectPace } from "#tests/support/pace";
import { routeReceiver, useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

const database = useDatabase();
const native = useNodeReceiver();
const route = routeReceiver();

const data = (fields: string) => `{"documentId":"doc_p",${fields}}`;
const event = (id: string, fields: string, created = "1") =>
  `{"id":"${id}","type":"document.uploaded","created":${created},"data":${data(fields)}}`;

/** Signed bodies that have brought receivers, databases or workers down. */
const POISON: [name: string, body: (id: string) => string][] = [
  ["\\u0000 in a text", (id) => event(id, '"name":"\\u0000"')],
  ["\\u0000 in a key", (id) => event(id, '"\\u0000":1')],
  ["a lone surrogate", (id) => event(id, '"name":"\\ud800"')],
  ["a lone surrogate in a key", (id) => event(id, '"\\udfff":1')],
  ["depth 50,000", (id) => event(id, `"deep":${"[".repeat(50_000)}${"]".repeat(50_000)}`)],
  ["objects 50,000 deep", (id) => event(id, `"deep":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`)],
  ["a key of 1 MB", (id) => event(id, `"${"k".repeat(1_000_000)}":1`)],
  ["a number of 100,000 digits", (id) => event(id, `"n":${"9".repeat(100_000)}`)],
  ["a number beyond all", (id) => event(id, '"n":1e400')],
  ["20,000 keys", (id) => event(id, Array.from({ length: 20_000 }, (_, n) => `"k${n}":${n}`).join())],
  ["a key 20,000 times", (id) => event(id, Array.from({ length: 20_000 }, (_, n) => `"k":${n}`).join())],
  ["__proto__ and constructor", (id) => event(id, '"__proto__":{"x":1},"constructor":2,"toString":3')],
  ["ids that are no texts", (id) => event(id, '"taskId":{"a":[1]},"pipelineId":[],"organizationId":7')],
  ["the last second that there is", (id) => event(id, '"name":"late"', "9007199254740991")],
  ["a second before all time", (id) => event(id, '"name":"early"', "-9007199254740991")],
];

it("signed poison is acknowledged, its bytes are kept, and the next event is processed within a second", { timeout: 120_000 }, async () => {
  const { workspaceId, source } = await makeWorkspace();
  await startWorker(database.url());
  expectPace(await secondsToProcess(workspaceId, source, "warm-up"), 10);
  const took: number[] = [];
  for (const [index, [name, make]] of POISON.entries()) {
    for (const [way, receiver] of [native, route].entries()) {
      const id = `poison-${index}-${way}`;
      const body = make(id);
      expect((await receiver.send(source, signed(body))).status, name).toBe(200);
      took.push(await secondsToProcess(workspaceId, source, `after-${id}`));
      expectPace(took.at(-1) ?? 0, 1, `the event after ${name}`);
      const { rows } = await pool().query<{ body: Buffer }>("SELECT body FROM events WHERE workspace_id = $1 AND event_id = $2", [
        workspaceId,
        id,
      ]);
      expect(rows[0]?.body.equals(Buffer.from(body)), `${name} keeps its bytes`).toBe(true);
      expect(await readEvent(workspaceId, id), `${name} can be looked at`).not.toBeNull();
    }
  }
  const worst = Math.round(Math.max(...took) * 1000);
  figure(
    `${took.length} poisoned events through both receivers: all 200, bytes kept, the next event processed after ${worst} ms at the latest`,
  );
});

/** Sends a good event and waits until the worker has applied it. */
async function secondsToProcess(workspaceId: WorkspaceId, source: string, id: string): Promise<number> {
  const body = envelope({ id, type: "document.uploaded", data: { documentId: `doc_${id}` } });
  expect((await native.send(source, signed(body))).status).toBe(200);
  const since = performance.now();
  await expect.poll(async () => (await readEvent(workspaceId, id))?.state, { interval: atSize(10, 50) }).toBe("processed");
  return (performance.now() - since) / 1000;
}
