import { expect, vi } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { processEvents } from "#lib/flows/processing/process-events";
import { beginAppend } from "#tests/support/held-append";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";
import { paused, type Step, step, unanswered } from "./steps.ts";

/** Longer than a missing event waits at least. */
const LATER_MS = 40_000;
const BEHIND_MS = 8000;

type Part = "uploaded" | "processed";

/** Documents of which events arrive in any order, late, or never. */
export class MissingEventWorld {
  private readonly workspaceId: WorkspaceId;
  private readonly sourceId: SourceId;
  /** Committed parts of each document. */
  private readonly stored = new Set<string>();
  /** The platform's time of each event, Unix seconds. */
  private readonly created: number[] = [];
  private readonly began = Math.floor(Date.now() / 1000) - 3600;
  private ahead = 0;

  private constructor(workspaceId: WorkspaceId, sourceId: SourceId) {
    this.workspaceId = workspaceId;
    this.sourceId = sourceId;
  }

  static async make(): Promise<MissingEventWorld> {
    const { workspaceId, sourceId } = await makeWorkspace();
    return new MissingEventWorld(workspaceId, sourceId);
  }

  /** @returns null when it was sent before */
  private event(n: number, part: Part) {
    const eventId = `evt_${n}_${part}`;
    if (this.stored.has(eventId)) return null;
    const created = this.began + this.created.length;
    this.created.push(created);
    return { eventId, type: `document.${part}`, created, data: { documentId: `doc_${this.workspaceId}_${n}` } };
  }

  async store(n: number, part: Part, receivedAt = new Date()): Promise<void> {
    const event = this.event(n, part);
    if (!event) return;
    await append(this.workspaceId, this.sourceId, [event], receivedAt);
    this.stored.add(event.eventId);
  }

  /** Its commit takes as long as something else. */
  async storeSlowly(n: number, part: Part, meanwhile: () => Promise<unknown>): Promise<void> {
    const event = this.event(n, part);
    if (!event) return;
    const client = await beginAppend(this.workspaceId, this.sourceId, event);
    try {
      await meanwhile();
    } finally {
      await client.query("COMMIT");
      client.release();
    }
    this.stored.add(event.eventId);
  }

  async apply(): Promise<void> {
    while ((await processEvents()) > 0);
  }

  /** A round of the watch; nothing is said to be missing that was stored when it began. */
  async look(later = false): Promise<void> {
    if (later) this.ahead += LATER_MS;
    const before = new Set(await this.open());
    const stored = new Set(this.stored);
    await detectMissingEvents(this.ahead === 0 ? undefined : new Date(Date.now() + this.ahead));
    const fresh = (await this.open()).filter((n) => !before.has(n) && stored.has(`evt_${n}_uploaded`));
    expect(fresh, "documents whose upload is in the log, and is said to be missing").toEqual([]);
  }

  /** A worker whose own clock is ahead. */
  async lookAhead(): Promise<void> {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20_000 });
    const [before, first] = [new Set(await this.open()), this.ahead === 0];
    await detectMissingEvents(first ? undefined : new Date(Date.now() + this.ahead - 20_000)).finally(() => vi.useRealTimers());
    if (first)
      expect(
        (await this.open()).filter((n) => !before.has(n)),
        "shown before they have waited",
      ).toEqual([]);
  }

  private async open(): Promise<string[]> {
    const { rows } = await pool("queue").query<{ n: string }>(
      "SELECT split_part(resource_id, '_', -1) AS n FROM missing_events WHERE workspace_id = $1 AND state = 'open' AND resource_kind = 'document' ORDER BY 1",
      [this.workspaceId],
    );
    return rows.map(({ n }) => n);
  }

  /** Exactly what never came is missing, and each arrival was noted. */
  async settle(): Promise<void> {
    await drainInbox();
    for (let round = 0; round < 2; round += 1) await this.look(true);
    const never = [...this.stored].flatMap((id) => /^evt_(\d+)_processed$/.exec(id)?.[1] ?? []);
    expect(await this.open(), "missing").toEqual(never.filter((n) => !this.stored.has(`evt_${n}_uploaded`)).sort());
    const { rows } = await pool().query<{ times: string[] }>("SELECT times FROM source_cadences WHERE source_id = $1", [this.sourceId]);
    expect((rows[0]?.times ?? []).map(Number), "arrivals that were noted").toEqual(this.created);
  }
}

const processed = (n: number) => step<MissingEventWorld>(`document ${n} is processed`, (world) => world.store(n, "processed"));
const uploaded = (n: number) => step<MissingEventWorld>(`the upload of ${n} arrives`, (world) => world.store(n, "uploaded"));
const apply = step<MissingEventWorld>("a worker applies", (world) => world.apply());
const look = step<MissingEventWorld>("a watch looks", (world) => world.look());
const lookLater = step<MissingEventWorld>("time passes, and a watch looks", (world) => world.look(true));
const arrivesApplied = step<MissingEventWorld>("the upload of 0 arrives and is applied", async (world) => {
  await world.store(0, "uploaded");
  await world.apply();
});

const fifthAppliedAndSeen = step<MissingEventWorld>("document 5 is processed, which is applied and looked at", async (world) => {
  await world.store(5, "processed");
  await world.apply();
  await world.look();
});
/** The worker's transaction has changed the record, and commits after a later one was looked at. */
const appliedLate = paused(apply, /WITH ended AS \(UPDATE log_ranges/, fifthAppliedAndSeen);

const during = (n: number, part: Part, others: Step<MissingEventWorld>[]) =>
  step<MissingEventWorld>(`document ${n} is ${part}; before its commit: ${others.map(({ name }) => name).join(", ")}`, (world) =>
    world.storeSlowly(n, part, async () => {
      for (const other of others) await other.run(world);
    }),
  );

export const MISSING_EVENT_STEPS: Step<MissingEventWorld>[] = [
  processed(0),
  processed(1),
  uploaded(0),
  uploaded(1),
  apply,
  look,
  lookLater,
  step("a watch looks whose clock is ahead", (world) => world.lookAhead()),
  step("the upload of 2 comes through a machine whose clock is behind", (world) =>
    world.store(2, "uploaded", new Date(Date.now() - BEHIND_MS)),
  ),
  during(2, "processed", [processed(1), apply, look]),
  during(0, "uploaded", [processed(0), apply, lookLater]),
  during(3, "processed", [uploaded(1), look]),
  paused(apply, /INSERT INTO views|UPDATE views/, look),
  paused(apply, /INSERT INTO views|UPDATE views/, lookLater),
  step("document 4 is processed, and applied late", async (world) => {
    await world.store(4, "processed");
    await appliedLate.run(world);
  }),
  paused(lookLater, /UPDATE missing_events f SET state = 'open'/, arrivesApplied),
  paused(lookLater, /INSERT INTO missing_events/, arrivesApplied),
  paused(look, /UPDATE missing_event_watch/, lookLater),
  unanswered(lookLater, /UPDATE missing_event_watch/),
];
