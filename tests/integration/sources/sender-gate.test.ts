import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { CreateSourceBody } from "#lib/contracts/sources/sources";
import { pool } from "#lib/db/pool";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { createSource } from "#lib/flows/sources/manage-sources";
import { schemeOf } from "#lib/platform/schemes/templates";
import { mulberry32 } from "#tests/chaos/driver";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { drainInbox } from "#tests/support/log-writer";
import { randomEvents } from "#tests/support/random-events";
import { rebuild } from "#tests/support/rebuild";
import { useNodeReceiver } from "#tests/support/receivers";
import { atSize } from "#tests/support/sample";
import { HMAC } from "#tests/support/sender-source";
import { actorOf, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

const EVENTS = atSize(120, 40);
/** Paths in the contents of the platform's events that hold an ID, so that equal ones would collide. */
const RECORD = { kind: "task", id: "taskId", state: "status", title: "name" };
const READING = { id: ["id"], type: ["type"], created: ["created"], data: "data" };
const GENERIC = { template: "hmac", scheme: { hmac: HMAC }, reading: READING, records: "generic", record: RECORD } as const;
/** Beside the platform: its own IDs, types and records, with other contents. */
const OTHERS: CreateSourceBody[] = [
  { name: "hmac", template: "hmac", scheme: { hmac: HMAC } },
  { name: "listed", template: "github", reading: { items: "events", ...READING } },
  { name: "generic", ...GENERIC },
  { name: "another", ...GENERIC },
];

const textOf = (event: { eventId: string; type: string; created: number; data: object }) =>
  JSON.stringify({ id: event.eventId, type: event.type, created: event.created, data: event.data });

/** The records of a source whose setting makes some, as they are now. */
const genericOf = async (workspaceId: WorkspaceId, source: string) =>
  (
    await pool().query<{ id: string; registers: object }>(
      "SELECT id, registers FROM views WHERE workspace_id = $1 AND kind = 'record' AND parent = $2 ORDER BY 1",
      [workspaceId, source],
    )
  ).rows;

/** Returns what the product says of the platform's things, without the IDs of the workspace and the time of the run. */
async function whatIsSaid(workspaceId: WorkspaceId): Promise<unknown> {
  const rows = async (sql: string) => (await pool().query(sql, [workspaceId])).rows;
  return {
    views: await rows(
      `SELECT kind, id, registers, state, failed, parent, stage, last_created FROM views
       WHERE workspace_id = $1 AND kind <> 'record' ORDER BY 1, 2`,
    ),
    issues: await rows("SELECT origin, code, type, place, words, state FROM issues WHERE workspace_id = $1 ORDER BY 1, 2, 3, 4"),
    // A source's silence is its own, and has a usual pause only on a machine that takes 20 s to send.
    missing: await rows(
      "SELECT rule, resource_kind, resource_id, state, evidence FROM missing_events WHERE workspace_id = $1 AND rule <> 'source_silent' ORDER BY 1, 2, 3",
    ),
    moves: await rows("SELECT count(*)::int FROM task_moves WHERE workspace_id = $1"),
    connections: await rows("SELECT count(*)::int FROM connections WHERE workspace_id = $1"),
    history: await rows("SELECT count(*)::int FROM connection_history WHERE workspace_id = $1"),
    refs: await rows("SELECT count(*)::int FROM event_refs WHERE workspace_id = $1 AND kind <> 'record'"),
    failed: await rows("SELECT count(*)::int FROM dead_letters WHERE workspace_id = $1"),
  };
}

it.each([1, 2].slice(0, atSize(2, 1)))(
  "nothing of four other sources with the platform's IDs and types touches its records, findings and connections (seed %i)",
  async (seed) => {
    const random = mulberry32(seed);
    const events = randomEvents(EVENTS, seed);
    const theirs = events.map(({ eventId, created }, n) => {
      const { type, data } = events[(n + 1 + Math.floor(random() * (EVENTS - 1))) % EVENTS] ?? { type: "task.created", data: {} };
      return { eventId, type, created: created + Math.floor(random() * 1000), data: { ...data, name: "Theirs" } };
    });
    const [alone, beside] = [await makeWorkspace(), await makeWorkspace()];
    const made = [];
    for (const other of OTHERS) {
      const name = `${other.name}-${beside.source.slice(-8)}`;
      made.push({ ...other, ...(await createSource(unaudited(actorOf(beside)), { ...other, name })), name });
    }
    receiver.renew();
    const send = async (source: string, init: { body: string; headers: Record<string, string> }) =>
      expect((await receiver.send(source, init)).status).toBe(200);
    for (const [n, event] of events.entries()) {
      await send(alone.source, signed(textOf(event)));
      const turns = [
        () => send(beside.source, signed(textOf(event))),
        ...made.map(({ name, template, scheme, secret, reading }) => () => {
          const text = textOf(theirs[n] ?? event);
          const body = reading?.items === undefined ? text : `{"events":[${text}]}`;
          const request = { body: Buffer.from(body), secret: secret ?? "", url: "", id: `m${n}`, now: new Date() };
          return send(name, { body, headers: schemeOf(template, scheme).sign(request) });
        }),
      ];
      for (const turn of turns.sort(() => random() - 0.5)) await turn();
    }
    await drainInbox();
    await detectMissingEvents(new Date(Date.now() + 86_400_000));
    const said = await whatIsSaid(alone.workspaceId);
    expect((said as { views: unknown[] }).views.length).toBeGreaterThan(20);
    expect((said as { missing: unknown[] }).missing.length + (said as { issues: unknown[] }).issues.length).toBeGreaterThan(1);
    expect(await whatIsSaid(beside.workspaceId)).toEqual(said);
    const own = made.filter(({ records }) => records === "generic").map(({ name }) => name);
    const before = await Promise.all(own.map((name) => genericOf(beside.workspaceId, name)));
    const named = theirs.flatMap(({ data }) => ("taskId" in data && typeof data.taskId === "string" ? [data.taskId] : []));
    const ids = [...new Set(named)].sort();
    expect(ids.length).toBeGreaterThan(3);
    for (const [n, name] of own.entries())
      expect(before[n]?.map(({ id }) => id).sort()).toEqual(ids.map((id) => `${name}:task:${id}`).sort());
    await rebuild(beside.workspaceId);
    expect(await Promise.all(own.map((name) => genericOf(beside.workspaceId, name)))).toEqual(before);
    expect(((await whatIsSaid(beside.workspaceId)) as { views: unknown }).views).toEqual((said as { views: unknown }).views);
    const { rows } = await pool().query("SELECT count(*)::int AS count FROM events WHERE workspace_id = $1", [beside.workspaceId]);
    expect(rows).toEqual([{ count: (1 + OTHERS.length) * EVENTS }]);
  },
);
