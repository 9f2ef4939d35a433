import { expect } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter, EventState } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { waitingSql } from "#lib/db/sql";
import { countByHours, type Period } from "#lib/events/hour-counter-store";
import { parseFilter } from "#lib/events/search/query";
import { countHours } from "#lib/flows/events/count-hours";
import { applyRetention } from "#lib/flows/events/retention";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { processEvents } from "#lib/flows/processing/process-events";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { releaseMatching } from "#lib/flows/quarantine/release-quarantined";
import { ensureSource, rotateSecret } from "#lib/sources/source-store";
import { beginAppend } from "#tests/support/held-append";
import { append } from "#tests/support/log-writer";
import { rebuild } from "#tests/support/rebuild";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { makeWorkspace, signed } from "#tests/support/webhooks";
import { paused, type Step, step, unanswered } from "./steps.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** When events come, in milliseconds before now: in this hour and earlier ones, and in months that retention deletes. */
const AGES = [0, HOUR_MS, 5 * HOUR_MS, 3 * DAY_MS, 75 * DAY_MS, 76 * DAY_MS, 140 * DAY_MS];
const TYPES = ["task.created", "task.completed", "invented.type"];

type Row = { received_at: Date; type: string; source: string; state: EventState };

/** A log whose counters are held against a count of its rows after each step. */
export class HourWorld {
  private readonly workspaceId: WorkspaceId;
  private readonly sources: { id: SourceId; name: string }[];
  /** Keeps its events for ever: a month with one of them is not dropped. */
  private readonly other: { workspaceId: WorkspaceId; sourceId: SourceId };
  private receiver = createReceiver();
  private sent = 0;

  private constructor(workspaceId: WorkspaceId, sources: { id: SourceId; name: string }[], other: HourWorld["other"]) {
    this.workspaceId = workspaceId;
    this.sources = sources;
    this.other = other;
  }

  static async make(): Promise<HourWorld> {
    const { workspaceId, source } = await makeWorkspace();
    await ensureSource(workspaceId, `${source}-b`, "another secret of the tests", { now: new Date() });
    const { rows } = await pool().query<{ id: SourceId; name: string }>(
      "SELECT id, name FROM sources WHERE workspace_id = $1 ORDER BY name",
      [workspaceId],
    );
    const other = await makeWorkspace();
    await pool().query("UPDATE workspaces SET retention_days = 3000 WHERE id = $1", [other.workspaceId]);
    await pool().query("SELECT ensure_event_partitions((current_date - 200)::date, 9)");
    return new HourWorld(workspaceId, rows, other);
  }

  private event() {
    const n = this.sent++;
    const type = TYPES[n % TYPES.length] as string;
    return { eventId: `evt_${n}`, type, created: 1_760_000_000 + n, data: n % 2 === 0 ? { taskId: `task_${n}`, pipelineId: "pip" } : {} };
  }

  private pick<T>(items: readonly T[]): T {
    return items[(this.sent * 7) % items.length] as T;
  }

  /** Some are no task's and can't be applied, one comes twice. */
  async store(age: number): Promise<void> {
    const at = new Date(Date.now() - age);
    const events = [this.event(), this.event(), this.event()];
    const { id } = this.pick(this.sources);
    await append(this.workspaceId, id, [...events, ...events.slice(0, 1)], at);
  }

  async keepMonth(age: number): Promise<void> {
    await append(this.other.workspaceId, this.other.sourceId, [this.event()], new Date(Date.now() - age));
  }

  /** Its commit takes as long as something else. */
  async storeSlowly(meanwhile: Step<HourWorld>): Promise<void> {
    const client = await beginAppend(this.workspaceId, this.pick(this.sources).id, this.event());
    try {
      await meanwhile.run(this);
    } finally {
      await client.query("COMMIT");
      client.release();
    }
  }

  /** Two workers at once. */
  async apply(): Promise<void> {
    const drain = async () => {
      while ((await processEvents(4)) > 0);
    };
    await Promise.all([drain(), drain()]);
  }

  /** Until what can't be applied is a dead letter. */
  async exhaust(): Promise<void> {
    for (let time = 0; time < 7; time += 1) {
      await pool().query("UPDATE inbox SET due_at = now() - interval '1 second' WHERE workspace_id = $1", [this.workspaceId]);
      await this.apply();
    }
  }

  async redeliver(): Promise<void> {
    await redeliverSet(this.workspaceId, { filter: {} }, { now: new Date(), name: null, requestedBy: "ada@example.com" });
  }

  /** A request of a secret that is set later. */
  async quarantineAndRelease(): Promise<void> {
    const secret = `secret number ${this.sent} of the tests`;
    const { eventId, ...rest } = this.event();
    const sent = signed(JSON.stringify({ id: eventId, ...rest }), secret);
    const [source] = this.sources;
    if (!source) throw new Error("there is no source");
    await receiveUntilKept(this.receiver, { source: source.name, ...sent });
    await rotateSecret(this.workspaceId, source.id, 0, new Date(), secret);
    const { released } = await releaseMatching(this.workspaceId, { filter: {}, dryRun: false }, "ada@example.com", new Date());
    expect(released).toBe(1);
    this.receiver = createReceiver();
  }

  async retain(days: number): Promise<void> {
    await pool().query("UPDATE workspaces SET retention_days = $2 WHERE id = $1", [this.workspaceId, days]);
    await applyRetention(2);
    await pool().query("SELECT ensure_event_partitions((current_date - 200)::date, 9)");
  }

  rebuild = () => rebuild(this.workspaceId);

  count = () => countHours(3);

  async countAll(): Promise<void> {
    do await pool().query("UPDATE event_hour_places SET counted_at = '2020-01-01' WHERE workspace_id = $1", [this.workspaceId]);
    while (await countHours(3));
  }

  /** Each filter over each period: what the counters say is what the log's rows are. */
  async compare(): Promise<void> {
    const rows = await this.rows();
    const now = Date.now();
    const periods: Period[] = [
      { from: 0, to: null },
      { from: now - 5.5 * HOUR_MS, to: null },
      { from: now - 80 * DAY_MS, to: now - 1.2 * HOUR_MS },
    ];
    for (const filter of this.filters())
      for (const period of periods) {
        const counted = await countByHours(this.workspaceId, parseFilter(filter), period, { step: 3600, limitMs: 20_000 });
        expect(counted, JSON.stringify({ filter, period })).toEqual(countOf(rows, filter, period));
      }
  }

  private filters(): EventFilter[] {
    const source = this.sources[1]?.name ?? "";
    return [
      {},
      { type: ["task.created"] },
      { type: ["task.created", "invented.type"], source },
      { source, state: ["processed"] },
      { state: ["failed"] },
      { state: ["unrecognised"] },
      { state: ["processed"], type: ["task.created"] },
    ];
  }

  private async rows(): Promise<Row[]> {
    const { rows } = await pool().query<Row>(
      `SELECT e.received_at, e.type, s.name AS source, CASE WHEN ${waitingSql("e")} THEN 'pending' WHEN d.seq IS NOT NULL THEN 'failed'
         WHEN e.recognised THEN 'processed' ELSE 'unrecognised' END AS state
       FROM events e JOIN sources s ON s.id = e.source_id LEFT JOIN dead_letters d ON d.received_at = e.received_at AND d.seq = e.seq
       WHERE e.workspace_id = $1`,
      [this.workspaceId],
    );
    return rows;
  }

  /** All that is stored is counted, and the counters alone are a count of the log. */
  async settle(): Promise<void> {
    await this.countAll();
    await this.compare();
    const { rows } = await pool().query(
      `WITH log AS (
         SELECT coalesce(e.source_id, '') AS source_id, coalesce(e.type, '') AS type, date_trunc('hour', e.received_at, 'UTC') AS hour,
           count(*) AS events, count(*) FILTER (WHERE NOT e.recognised) AS unrecognised, count(d.seq) AS failed
         FROM events e LEFT JOIN dead_letters d ON d.received_at = e.received_at AND d.seq = e.seq
         WHERE e.workspace_id = $1 GROUP BY 3, CUBE (e.source_id, e.type)),
       counted AS (SELECT source_id, type, hour, events, unrecognised, failed FROM event_hours
         WHERE workspace_id = $1 AND (events, unrecognised, failed, failed_unrecognised) <> (0, 0, 0, 0))
       (SELECT 'log' AS only, * FROM (TABLE log EXCEPT TABLE counted) l) UNION ALL (SELECT 'counters', * FROM (TABLE counted EXCEPT TABLE log) c)`,
      [this.workspaceId],
    );
    expect(rows, "counters that are not the log's").toEqual([]);
  }
}

function countOf(rows: Row[], { type, source, state }: EventFilter, { from, to }: Period): Map<number, number> {
  const counted = new Map<number, number>();
  for (const row of rows) {
    const at = row.received_at.getTime();
    if (at < from || (to !== null && at >= to)) continue;
    if ((type && !type.includes(row.type)) || (source && row.source !== source) || (state && !state.includes(row.state))) continue;
    const hour = Math.floor(at / HOUR_MS) * 3600;
    counted.set(hour, (counted.get(hour) ?? 0) + 1);
  }
  return counted;
}

const storeAt = (age: number) => step<HourWorld>(`events come ${age / HOUR_MS} hours ago`, (world) => world.store(age));
const count = step<HourWorld>("a worker counts", (world) => world.count());
const countAll = step<HourWorld>("workers count everything, two at once", (world) => Promise.all([world.countAll(), world.countAll()]));
const apply = step<HourWorld>("two workers apply", (world) => world.apply());
const exhaust = step<HourWorld>("what can't be applied is tried to the end", (world) => world.exhaust());
const redeliver = step<HourWorld>("everything is delivered again", (world) => world.redeliver());
const retain = (days: number) => step<HourWorld>(`retention of ${days} days`, (world) => world.retain(days));
const keepMonth = (age: number) =>
  step<HourWorld>(`another workspace keeps the month ${age / DAY_MS} days ago`, (world) => world.keepMonth(age));

const laterOnes = step<HourWorld>("later ones are applied and counted", async (world) => {
  await world.store(0);
  await world.apply();
  await world.countAll();
});

/** Row by row, since another workspace keeps the month; what waits stays. */
const deletesHalfCounted = step<HourWorld>("retention deletes events of which some are counted", async (world) => {
  const age = 75 * DAY_MS;
  await world.keepMonth(age);
  await world.store(age);
  await world.countAll();
  await world.store(age);
  await world.exhaust();
  await world.store(age);
  await world.retain(30);
});

const deadAndWaiting = step<HourWorld>("dead letters wait for a re-delivery", async (world) => {
  await world.store(HOUR_MS);
  await world.store(HOUR_MS);
  await world.exhaust();
  await world.redeliver();
});

const STEPS: Step<HourWorld>[] = [
  ...AGES.map(storeAt),
  count,
  countAll,
  apply,
  exhaust,
  redeliver,
  keepMonth(75 * DAY_MS),
  keepMonth(140 * DAY_MS),
  retain(100),
  retain(30),
  deletesHalfCounted,
  deadAndWaiting,
  step("a request is quarantined, and released", (world) => world.quarantineAndRelease()),
  step("the records are rebuilt", (world) => world.rebuild()),
  step("an event commits after later ones were applied and counted", (world) => world.storeSlowly(laterOnes)),
  paused(countAll, /WITH next AS MATERIALIZED/, retain(30)),
  paused(countAll, /DELETE FROM event_hour_failures WHERE workspace_id/, storeAt(0)),
  paused(countAll, /DELETE FROM event_hour_failures WHERE workspace_id/, exhaust),
  paused(retain(30), /DELETE FROM events e USING/, countAll),
  paused(retain(30), /^DROP TABLE "events_/, countAll),
  unanswered(count, /WITH next AS MATERIALIZED/),
];

/** Each step, and a comparison after it. */
export const HOUR_STEPS: Step<HourWorld>[] = STEPS.map(({ name, run }) =>
  step<HourWorld>(name, async (world) => {
    await run(world);
    await world.compare();
  }),
);
