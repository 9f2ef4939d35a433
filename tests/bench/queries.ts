import { pool } from "#lib/db/pool";
import { EVENT_CURSOR, listEvents } from "#lib/events/event-store";
import { findFeedEnd, readFeed } from "#lib/events/feed-store";
import { readEvent } from "#lib/flows/events/read-event";
import { fillLog } from "#tests/support/large-log";
import { makeWorkspace } from "#tests/support/webhooks";
import { emptyLog, percentile, say, timings } from "./harness.ts";

const RUNS = 200;
const PAGE = 50;
const NONE = {};

/** Measures what pages ask of the log, at each size; the ratio is against the first size. */
export async function benchQueries(sizes: number[]): Promise<void> {
  const first = new Map<string, number>();
  for (const size of sizes) {
    await emptyLog();
    const began = performance.now();
    const { workspaceId, sourceId } = await makeWorkspace();
    await fillLog({ workspaceId, sourceId, events: size });
    await pool().query("VACUUM (ANALYZE) events, event_keys, event_refs");
    say(`queries at ${size.toLocaleString("en")} events (filled in ${((performance.now() - began) / 1000).toFixed(0)} s)`);
    const deep = await cursorOfPage(workspaceId, 1000, size);
    const end = await findFeedEnd();
    const any = (run: number) => Math.floor((size * ((run * 7919) % 10_007)) / 10_007);
    const asked: Record<string, (run: number) => Promise<unknown>> = {
      "event page": (run) => readEvent(workspaceId, `evt_big_${any(run)}`),
      "list, page 1": () => listEvents(workspaceId, NONE, { now: new Date(), limit: PAGE }),
      [deep.name]: () => listEvents(workspaceId, NONE, { now: new Date(), limit: PAGE, cursor: deep.cursor }),
      "filter by a rare type": () => listEvents(workspaceId, { ...NONE, type: ["automation.error"] }, { now: new Date(), limit: PAGE }),
      "one resource's events": (run) =>
        listEvents(workspaceId, { ...NONE, resource: `doc_big_${Math.floor(any(run) / 5)}` }, { now: new Date(), limit: PAGE }),
      "feed, nothing new": () => readFeed(workspaceId, end, PAGE),
    };
    for (const [name, ask] of Object.entries(asked)) {
      await timings(20, ask);
      const took = await timings(RUNS, ask);
      const p50 = percentile(took, 0.5);
      const before = first.get(name);
      if (before === undefined) first.set(name, p50);
      const ratio = before === undefined ? "" : `, ${(p50 / before).toFixed(2)} times that at ${sizes[0]?.toLocaleString("en")}`;
      say(`  ${name.padEnd(24)} p50 ${p50.toFixed(2)} ms, p95 ${percentile(took, 0.95).toFixed(2)} ms${ratio}`);
    }
  }
}

/** The cursor before page `page`, or before the last one of a small log. */
async function cursorOfPage(workspaceId: string, page: number, size: number): Promise<{ name: string; cursor: string }> {
  const skip = Math.min(page * PAGE, size - PAGE);
  const { rows } = await pool().query<{ receivedAt: Date; seq: number }>(
    'SELECT received_at AS "receivedAt", seq FROM events WHERE workspace_id = $1 ORDER BY received_at DESC, seq DESC OFFSET $2 LIMIT 1',
    [workspaceId, skip],
  );
  const [row] = rows;
  if (!row) throw new Error("the log is shorter than the page");
  return { name: "list, page 1,000", cursor: EVENT_CURSOR.encode(row) };
}
