import { describe, expect, it } from "vitest";
import { ReceiverPresence } from "#lib/flows/outages/outages";
import { MinuteCounter } from "#lib/ingest/minute-count-store";
import { type ReceiverRun, windowsOf } from "#lib/outages/outage-store";

const at = (time: string) => new Date(`2026-11-24T${time}Z`);
const minute = (time: string, unavailable: number, limited = 0) => ({ minute: at(time), unavailable, limited });

describe("outage windows", () => {
  it("join what lies within two minutes, and keep apart what doesn't, the newest first", () => {
    const windows = windowsOf(
      [minute("14:03:00", 5), minute("14:02:00", 200, 3), minute("15:00:00", 1)],
      [{ from: at("14:05:10"), to: at("14:05:50") }],
    );
    expect(
      windows.map(({ from, to, ...rest }) => [new Date(from).toISOString().slice(11, 19), new Date(to).toISOString().slice(11, 19), rest]),
    ).toEqual([
      ["15:00:00", "15:01:00", { awayMs: 0, unavailable: 1, limited: 0 }],
      ["14:02:00", "14:05:50", { awayMs: 40_000, unavailable: 205, limited: 3 }],
    ]);
  });

  it("an absence within a minute that is counted does not shorten it", () => {
    const [window] = windowsOf([minute("14:02:00", 1)], [{ from: at("14:02:10"), to: at("14:02:25") }]);
    expect(window).toMatchObject({ from: at("14:02:00").getTime(), to: at("14:03:00").getTime(), awayMs: 15_000 });
  });
});

describe("counts by the minute", () => {
  it("wait while they can't be written, and are written once, what came meanwhile after them", async () => {
    const clock = { now: () => at("14:02:31").getTime() };
    const written: unknown[] = [];
    let away = true;
    const counter = new MinuteCounter<"unavailable">({
      clock,
      write: async (counts) => {
        if (away) throw new Error("the database is away");
        written.push(...counts);
      },
    });
    counter.note("github", { unavailable: 1 });
    await counter.flush();
    counter.note("github", { unavailable: 1 });
    await counter.flush();
    expect(written).toEqual([]);
    away = false;
    await counter.flush();
    await counter.flush();
    const one = { source: "github", minute: at("14:02:00"), counts: { unavailable: 1 } };
    expect(written).toEqual([one, one]);
  });

  it("are all written by a flush, also those that came while an earlier one was writing", async () => {
    const written: number[] = [];
    const answered = Promise.withResolvers<void>();
    const counter = new MinuteCounter<"rejected">({
      clock: { now: () => 0 },
      write: async (counts) => {
        written.push(...counts.map((each) => each.counts.rejected));
        await answered.promise;
      },
    });
    counter.note("github", { rejected: 187 });
    const first = counter.flush();
    await expect.poll(() => written).toEqual([187]);
    counter.note("github", { rejected: 58 });
    const last = Promise.all([counter.flush(), counter.flush()]);
    answered.resolve();
    await Promise.all([first, last]);
    expect(written).toEqual([187, 58]);
  });

  it("are written again as they are where the answer was lost, and what came meanwhile after them", async () => {
    const batches = new Map<string, unknown>();
    let lost = true;
    const counter = new MinuteCounter<"unavailable">({
      clock: { now: () => 0 },
      write: async (counts, batch) => {
        if (batches.has(batch)) expect(counts).toEqual(batches.get(batch));
        batches.set(batch, counts);
        if (lost) throw new Error("the answer was lost");
      },
    });
    counter.note("github", { unavailable: 1 });
    await counter.flush();
    counter.note("github", { unavailable: 2 });
    lost = false;
    await Promise.all([counter.flush(), counter.flush()]);
    expect([...batches.values()]).toEqual(
      [1, 2].map((unavailable) => [{ source: "github", minute: new Date(0), counts: { unavailable } }]),
    );
  });

  it("of names that nobody knows fill a bounded number of places, and leave those that are known their own", async () => {
    const written: { source: string }[] = [];
    const counter = new MinuteCounter<"unavailable">({
      clock: { now: () => 0 },
      write: async (counts) => void written.push(...counts),
    });
    for (let n = 0; n < 50; n += 1) counter.note(`made-up-${n}`, { unavailable: 1 }, 10);
    counter.note("github", { unavailable: 1 });
    await counter.flush();
    expect(written).toHaveLength(11);
    expect(written.at(-1)?.source).toBe("github");
  });
});

describe("a receiver's presence", () => {
  function presence() {
    const clock = { time: 0, now: () => clock.time };
    const runs: ReceiverRun[] = [];
    const failing = { now: false };
    const write = async (run: ReceiverRun) => {
      if (failing.now) throw new Error("the database is away");
      runs.push(run);
    };
    return { clock, runs, failing, presence: new ReceiverPresence({ write, clock }) };
  }

  it("is one run while it is noted, also after the database was away: it received then, and answered 503", async () => {
    const { clock, runs, failing, presence: own } = presence();
    await own.beat();
    failing.now = true;
    for (clock.time = 5000; clock.time < 120_000; clock.time += 5000) await own.beat();
    failing.now = false;
    await own.beat();
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    expect(runs.at(-1)?.startedMsAgo).toBe(120_000);
  });

  it("is another run after the process stood still", async () => {
    const { clock, runs, presence: own } = presence();
    await own.beat();
    clock.time = 45_000;
    await own.beat();
    expect(runs.map(({ startedMsAgo }) => startedMsAgo)).toEqual([0, 0]);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(2);
  });
});
