import { describe, expect, it } from "vitest";
import { chanceOf, isImplausibleShare, logTail, rowNeeded, volumeDrift } from "#lib/event-types/drift-rules";
import { Learning } from "#tests/support/lessons";

type Data = Record<string, unknown>;
const usual = (n: number): Data => ({
  id: `doc_${n}`,
  status: ["open", "closed"][n % 2],
  pages: n % 9,
  by: { role: "x" },
  ...(n % 3 === 0 && { note: "text" }),
});

function afterHistory(events: number, every = 1): Learning {
  const learning = new Learning(every);
  for (let n = 0; n < events; n += 1) learning.teach(usual(n));
  expect(learning.found).toEqual([]);
  return learning;
}

/** Teaches a changed shape until something is found; after how many. */
function untilFound(learning: Learning, change: (data: Data) => Data, most = 60, more: (n: number) => object = () => ({})): number | null {
  for (let n = 1; n <= most; n += 1) {
    learning.teach(change(usual(n)), more(n));
    if (learning.found.length > 0) return n;
  }
  return null;
}

describe("the rules' numbers", () => {
  it("need 6 in a row after 100 observations, 4 after 1,000, 3 after 10,000", () => {
    expect([100, 1000, 10_000].map((n) => rowNeeded(chanceOf(n)))).toEqual([6, 4, 3]);
  });

  it("need 26 of 200 after 100, 10 after 1,000, 6 after 10,000 in part", () => {
    const least = (n: number) => Array.from({ length: 200 }, (_, x) => x).find((x) => isImplausibleShare(x, 200, chanceOf(n)));
    expect([100, 1000, 10_000].map(least)).toEqual([26, 10, 6]);
  });

  it("compute the binomial tail", () => {
    expect(Math.exp(logTail(1, 10, 0.1))).toBeCloseTo(1 - 0.9 ** 10, 12);
    expect(Math.exp(logTail(3, 3, 0.5))).toBeCloseTo(0.125, 12);
    expect([logTail(0, 5, 0.1), logTail(6, 5, 0.1)]).toEqual([0, Number.NEGATIVE_INFINITY]);
  });

  it("take a tenth or ten times of each of 14 days for a change of volume", () => {
    const days = Array.from({ length: 14 }, (_, day) => 400 + 100 * (day % 3));
    expect([volumeDrift(days, 40), volumeDrift(days, 41), volumeDrift(days, 6000), volumeDrift(days, 5999)]).toEqual([
      "fell",
      null,
      "rose",
      null,
    ]);
    expect([
      volumeDrift(days.slice(1), 0),
      volumeDrift(
        days.map(() => 20),
        0,
      ),
    ]).toEqual([null, null]);
  });
});

describe("a drift is found", () => {
  it.each<[string, string, (data: Data) => Data]>([
    ["vanished", "data.pages", ({ pages: _, ...data }) => data],
    ["null", "data.pages", (data) => ({ ...data, pages: null })],
    ["type", "data.pages", (data) => ({ ...data, pages: String(data.pages) })],
    ["type", "data.by", (data) => ({ ...data, by: "x" })],
    ["vanished", "data.by.role", (data) => ({ ...data, by: { id: "usr_1" } })],
  ])("%s of %s within 6 events after 100, and 4 after 1,000", (kind, path, change) => {
    for (const [events, within] of [
      [101, 6],
      [1001, 4],
    ] as const) {
      const learning = afterHistory(events);
      expect(untilFound(learning, change)).toBeLessThanOrEqual(within);
      expect(learning.found[0]).toMatchObject({ kind, path, severity: "breaking" });
      expect(learning.found[0]?.units[0]?.event[0]).toBe(`evt_${events + 1}`);
      expect(learning.found[0]?.lastGood?.[0]).toBe(`evt_${events}`);
      expect(learning.found).toHaveLength(1);
    }
  });

  it("in part: a field that is optional now", () => {
    const learning = afterHistory(1000, 20);
    let n = 0;
    while (learning.found.length === 0 && n < 200) {
      n += 1;
      const { pages, ...data } = usual(n);
      learning.teach(n % 5 === 0 ? data : { ...data, pages });
    }
    expect(learning.found[0]).toMatchObject({ kind: "optional", severity: "warning", path: "data.pages" });
    expect(n).toBeLessThanOrEqual(80);
  });

  it("a value that an enumeration never had, after 1,000, from two records", () => {
    const learning = afterHistory(1000);
    learning.teach({ ...usual(1), status: "held" });
    expect(learning.found).toEqual([]);
    learning.teach({ ...usual(2), status: "held" });
    expect(learning.found[0]).toMatchObject({ kind: "value", severity: "warning", path: "data.status" });
    expect(afterHistory(600).found).toEqual([]);
  });

  it("another format, and bodies four times as long as 99 of 100", () => {
    expect(untilFound(afterHistory(300), (data) => ({ ...data, id: "https://example.com/doc" }))).toBeLessThanOrEqual(6);
    const learning = afterHistory(600);
    expect(
      untilFound(
        learning,
        (data) => data,
        60,
        () => ({ bytes: 5000 }),
      ),
    ).toBe(20);
    expect(learning.found[0]).toMatchObject({ kind: "size", path: "data" });
  });

  it("by two workers that each see half of it", () => {
    const one = afterHistory(1000, 4);
    expect(untilFound(one, ({ pages: _, ...data }) => data)).toBeLessThanOrEqual(6);
  });
});

describe("nothing is claimed", () => {
  it("of a past of fewer than 100 observations", () => {
    expect(untilFound(afterHistory(60), ({ pages: _, ...data }) => data, 30)).toBeNull();
  });

  it("of one record, or of one minute and kind: they count once", () => {
    const vanished = ({ pages: _, ...data }: Data) => data;
    expect(untilFound(afterHistory(500), vanished, 100, () => ({ record: { kind: "document", id: "doc_one" } }))).toBeNull();
    const minute: [string, number, number] = ["evt_m", Date.UTC(2026, 5, 1), 1];
    expect(untilFound(afterHistory(500), vanished, 100, () => ({ ref: minute }))).toBeNull();
  });

  it("of a field that was always optional, and of one that people ignore", () => {
    expect(untilFound(afterHistory(500), ({ note: _, ...data }) => data, 100)).toBeNull();
  });

  it("of a rare exception, which becomes part of what is usual", () => {
    const learning = afterHistory(1000, 10);
    for (let n = 0; n < 6000; n += 1) learning.teach(n % 700 === 0 ? { ...usual(n), pages: null } : usual(n));
    learning.handOn();
    expect(learning.found).toEqual([]);
    for (let n = 0; n < 20; n += 1) learning.teach({ ...usual(n), pages: null });
    expect(learning.found).toEqual([]);
  });
});

it("a drift is over when the old shape was back for 200 events, and is found again when it comes again", () => {
  const learning = afterHistory(1000);
  untilFound(learning, ({ pages: _, ...data }) => data);
  for (let n = 0; n < 199; n += 1) learning.teach(usual(n));
  expect(learning.recovered).toEqual([]);
  for (let n = 0; n < 2; n += 1) learning.teach(usual(n));
  expect(learning.recovered).toEqual(["dft_1"]);
  for (let n = 0; n < 6; n += 1) learning.teach({ id: "doc_x", status: "open", by: { role: "x" } });
  expect(learning.found).toHaveLength(2);
});

it("a drift stays open while part of the events has the new shape", () => {
  const learning = afterHistory(1000);
  untilFound(learning, ({ pages: _, ...data }) => data);
  for (let n = 0; n < 1000; n += 1) learning.teach(n % 100 === 0 ? { id: "doc_x", status: "open", by: { role: "x" } } : usual(n));
  expect(learning.recovered).toEqual([]);
});

it("tells what was seen for the first time, with its event", () => {
  const learning = afterHistory(250);
  learning.teach({ ...usual(1), risk: "high", pages: "7" });
  expect(learning.news).toEqual([
    { kind: "type_appeared", path: "data.pages", detail: "string", event: ["evt_251", expect.any(Number), 251] },
    { kind: "format_appeared", path: "data.pages", detail: "decimal-text", event: ["evt_251", expect.any(Number), 251] },
    { kind: "field_appeared", path: "data.risk", detail: "string", event: ["evt_251", expect.any(Number), 251] },
  ]);
});
