import { expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { makeDestination } from "#tests/support/forwarding/destinations";
import { countStates, hurry, startSenders, until, useTargets } from "#tests/support/forwarding/senders";
import { fillLog } from "#tests/support/large-log";
import { atSize } from "#tests/support/sample";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target } = useTargets();

const EVENTS = atSize(10_000, 600);
const SUBJECTS = atSize(500, 50);

test(`${EVENTS} events of ${SUBJECTS} subjects, a third of the attempts failing: each subject's in order, each once accepted`, async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  let answers = 0;
  const seen: number[] = [];
  const { url } = await target((one, _request, response) => {
    answers += 1;
    const fails = answers % 3 === 0;
    if (!fails) seen.push(Number(String(one.headers["signalbox-event-id"]).split("_").at(-1)));
    response.statusCode = fails ? 500 : 200;
    response.end();
  });
  await fillLog({ workspaceId, sourceId, events: EVENTS, run: "order" });
  const { id } = await makeDestination(workspaceId, { url, ordered: true, concurrency: 50 });
  await pool().query(
    `INSERT INTO forward_deliveries (workspace_id, destination_id, received_at, seq, event_id, type, subject)
     SELECT workspace_id, $2, received_at, seq, event_id, type, 'document:' || regexp_replace(event_id, '^.*_', '')::int % ${SUBJECTS}
     FROM events WHERE workspace_id = $1`,
    [workspaceId, id],
  );
  const since = Date.now();
  open.push(startSenders(), hurry());
  await until(
    () => countStates(id),
    ({ delivered }) => delivered === EVENTS,
    240_000,
  );
  figure(`${EVENTS} events of ${SUBJECTS} subjects in order with ${answers} attempts in ${((Date.now() - since) / 1000).toFixed(1)} s`);
  expect(seen).toHaveLength(EVENTS);
  const last = new Map<number, number>();
  const overtaken = seen.filter((n) => {
    const before = last.get(n % SUBJECTS) ?? -1;
    last.set(n % SUBJECTS, n);
    return n <= before;
  });
  expect(overtaken).toEqual([]);
}, 300_000);
