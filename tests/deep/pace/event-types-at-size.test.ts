import { expect, it, onTestFinished } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import type { EventTypeDetail, EventTypeItems } from "#lib/contracts/event-types";
import type { EventField } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { MAX_FIELDS, MAX_SCHEMAS } from "#lib/event-types/schema";
import { openApiServer } from "#tests/support/api-server";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { Learning } from "#tests/support/lessons";
import { expectPace } from "#tests/support/pace";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const LIMIT_MS = 300;
const VERSIONS = 30;
const TURNS = 5;

/** As many fields as are learnt of a type, on three levels, a third of them enumerations. */
function fullTree() {
  const learning = new Learning(250);
  const part = (n: number, at: number) => ({
    [`id${at}`]: `doc_${n}abcdefgh${at}`,
    [`state${at}`]: ["open", "closed", "held"][(n + at) % 3],
    [`amount${at}`]: (n * 7 + at) % 1000,
    [`when${at}`]: n % 5 === 0 ? null : "2026-11-29T10:00:00Z",
    [`lines${at}`]: { name: `line ${n}`, total: n % 100, kind: ["new", "old"][n % 2] },
  });
  for (let n = 0; n < 500; n += 1) {
    const groups = Array.from({ length: 10 }, (_, g) => [`group${g}`, Object.assign({}, ...[0, 1, 2, 3, 4].map((at) => part(n, at)))]);
    learning.teach({ ...Object.fromEntries(groups), id: `evt_${n}` });
  }
  learning.handOn();
  return learning.stored;
}

/** 500 schemas of 400 fields, three drifts each; the first has 30 versions. */
async function fill(workspaceId: string, sourceId: string): Promise<void> {
  const { tree, watch } = fullTree();
  expect(Object.keys(tree.fields)).toHaveLength(MAX_FIELDS);
  await pool().query(
    `INSERT INTO event_schemas (id, workspace_id, source_id, type, tree, watch, events, fields, first_event_at, last_event_at, last_change_at, pin)
     SELECT 'ety_' || lpad(n::text, 24, '0'), $1, $2, 'big.' || n, $3, $4, 9112, $5, now(), now(), now(), CASE WHEN n % 10 = 0 THEN $6::jsonb END
     FROM generate_series(1, ${MAX_SCHEMAS}) n`,
    [
      ...[workspaceId, sourceId, JSON.stringify(tree), JSON.stringify(watch), MAX_FIELDS],
      JSON.stringify({ version: 1, file: null, hash: "sha256:0", at: "2026-11-29T10:00:00.000Z", by: null, fields: watch.usual }),
    ],
  );
  await pool().query(
    `INSERT INTO event_schema_drifts (id, workspace_id, schema_id, kind, severity, path, outcome, expected, observed, count)
     SELECT 'dft_' || n || '_' || severity, $1, 'ety_' || lpad(n::text, 24, '0'), 'null', severity, 'data.id', 'null', 'no null in 9,112', 'null', 6
     FROM generate_series(1, ${MAX_SCHEMAS}) n, unnest(ARRAY['breaking', 'warning', 'info']) severity`,
    [workspaceId],
  );
  await pool().query(
    `INSERT INTO event_schema_versions (schema_id, number, workspace_id, hash, reason, fields, tree)
     SELECT 'ety_' || lpad('1', 24, '0'), n, $1, 'sha256:' || n, 'published', $2, $3 FROM generate_series(1, ${VERSIONS}) n`,
    [workspaceId, MAX_FIELDS, JSON.stringify(tree)],
  );
}

it("500 event types of 400 fields each are listed, and one is shown with all its fields and 30 versions, and fields are offered, within 300 ms", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  await fill(workspaceId, sourceId);
  const { key } = await insertApiKey(workspaceId, { name: "pace", role: "viewer", createdBy: null });
  const server = await openApiServer();
  onTestFinished(server.close);

  /** The better half of several turns: a pause of the machine is nobody's cost. */
  const timed = async <T>(path: string): Promise<{ ms: number; bytes: number; body: T }> => {
    const turns: number[] = [];
    let text = "";
    for (let turn = 0; turn < TURNS; turn += 1) {
      const start = performance.now();
      const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
      text = await answer.text();
      turns.push(performance.now() - start);
      expect(answer.status, text.slice(0, 500)).toBe(200);
    }
    return { ms: Math.round(turns.sort((a, b) => a - b)[2] as number), bytes: text.length, body: JSON.parse(text) as T };
  };

  const list = await timed<EventTypeItems>("/api/v1/event-types");
  const learnt = list.body.data.filter(({ id }) => id !== null);
  expect(learnt).toHaveLength(MAX_SCHEMAS);
  expect(learnt.find(({ type }) => type === "big.10")).toMatchObject({ state: "pinned", drift: { breaking: 1, warning: 1, info: 1 } });
  const detail = await timed<EventTypeDetail>(`/api/v1/event-types/ety_${"1".padStart(24, "0")}`);
  expect(detail.body.tree).toHaveLength(MAX_FIELDS);
  expect(detail.body.versions).toHaveLength(VERSIONS);
  const offered = await timed<{ data: EventField[] }>("/api/v1/events/fields");
  expect(offered.body.data).toContainEqual({ path: "data.group0.state0", values: ["closed", "held", "open"], inList: false });
  figure(
    `${MAX_SCHEMAS} event types of ${MAX_FIELDS} fields: list ${list.ms} ms (${Math.round(list.bytes / 1024)} KB), ` +
      `one with ${VERSIONS} versions ${detail.ms} ms (${Math.round(detail.bytes / 1024)} KB), ` +
      `fields to complete from ${offered.ms} ms`,
  );
  expectPace(list.ms, LIMIT_MS, "the list");
  expectPace(detail.ms, LIMIT_MS, "one event type");
  expectPace(offered.ms, LIMIT_MS, "fields to complete from");
});
