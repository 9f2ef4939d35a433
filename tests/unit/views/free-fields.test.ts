import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeRecords, recordOf } from "#lib/views/fold/fold";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { canonicalText, type Registers } from "#lib/views/fold/register";
import { figure } from "#tests/support/figure";
import { foldRecord } from "#tests/support/fold-records";
import { reshuffled } from "#tests/support/random-events";
import { atSize } from "#tests/support/sample";

const RUNS = atSize(300, 30);

const uploaded = (n: number, fields: Record<string, unknown>, created = n): FoldableEvent => ({
  eventId: `e${n}`,
  type: "document.uploaded",
  created,
  data: { documentId: "x", ...fields },
});

const fold = (events: FoldableEvent[]) => foldRecord("document", "x", events);
const freeFields = (registers: Registers) => Object.keys(registers).filter((field) => field.startsWith("data."));
const numbered = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${String(from + n).padStart(6, "0")}`, n]));

/** Up to 38 fields an event out of 500 names: twenty events name far more than 200. */
const anyUpload = fc.record({
  n: fc.nat({ max: 9 }),
  created: fc.integer({ min: 1, max: 3 }),
  fields: fc.dictionary(
    fc.nat({ max: 499 }).map((n) => `f${n}`),
    fc.nat({ max: 3 }),
    { minKeys: 15, maxKeys: 38 },
  ),
});
const uploads = (minLength: number) =>
  fc.array(anyUpload, { minLength, maxLength: 24 }).map((all) => all.map(({ n, fields, created }) => uploaded(n, fields, created)));

describe("the free fields of a record", () => {
  it("are at most 200 however many events name, and the record says that there are more", () => {
    const registers = fold(Array.from({ length: 100 }, (_, n) => uploaded(n, numbered(n * 38, 38))));
    expect(freeFields(registers)).toHaveLength(200);
    const record = recordOf("document", "x", registers);
    expect(record.fieldsLeftOut).toBe(true);
    expect(Object.keys(record.fields).filter((field) => !field.startsWith("data."))).toEqual(["state", "uploadedAt"]);
    expect(record.lastEventAt).toBe(new Date(99_000).toISOString());
  });

  it("are all there up to 200, and one more is said in either order", () => {
    const parts = Array.from({ length: 8 }, (_, n) => uploaded(n, numbered(n * 25, 25)));
    expect(recordOf("document", "x", fold(parts))).not.toHaveProperty("fieldsLeftOut");
    const [before, after] = [uploaded(99, { a: 1 }, 5), uploaded(99, { z: 1 }, 5)];
    for (const more of [before, after])
      for (const order of [
        [more, ...parts],
        [...parts, more],
      ])
        expect(recordOf("document", "x", fold(order)).fieldsLeftOut).toBe(true);
    expect(canonicalText(fold([before, ...parts]))).toBe(canonicalText(fold([...parts, before])));
    expect(canonicalText(fold([after, ...parts]))).toBe(canonicalText(fold([...parts, after])));
  });

  it("are the same to the byte for random shuffles with repetitions, any grouping into batches, and after a round trip through storage", {
    timeout: 120_000,
  }, () => {
    const stored = (registers: Registers): Registers => JSON.parse(canonicalText(registers)) as Registers;
    const merged = (...parts: Registers[]) => parts.reduce((a, b) => mergeRecords("document", a, b));
    let capped = 0;
    const check = fc.property(uploads(4), uploads(4), uploads(4), fc.infiniteStream(fc.nat()), (a, b, c, numbers) => {
      const straight = fold([...a, ...b, ...c]);
      const whole = canonicalText(straight);
      if (recordOf("document", "x", straight).fieldsLeftOut) capped += 1;
      expect(freeFields(straight).length).toBeLessThanOrEqual(200);
      expect(canonicalText(fold(reshuffled([...a, ...b, ...c], numbers)))).toBe(whole);
      const [x, y, z] = [stored(fold(a)), fold(b), stored(fold(c))];
      expect(canonicalText(merged(merged(x, y), z))).toBe(whole);
      expect(canonicalText(merged(x, merged(z, y)))).toBe(whole);
      expect(canonicalText(merged(merged(z, x), merged(x, y), z))).toBe(whole);
    });
    fc.assert(check, { numRuns: RUNS });
    expect(capped).toBeGreaterThan(RUNS / 6);
    figure(`${RUNS} shuffles with repetitions of events with fresh fields, ${capped} of them over the bound: the identical record`);
  });

  it("hold no value of more than 4 kB, so that a record has a bound in bytes", () => {
    const long = {
      text: "ü".repeat(50_000),
      list: Array.from({ length: 100 }, (_, n) => ({ n, text: "\n".repeat(900) })),
      small: { a: [1] },
    };
    const events = Array.from({ length: 300 }, (_, n) => uploaded(n, { [`f${n}`]: long.list, [`g${n}`]: long.text, metadata: long }));
    const registers = fold(events);
    for (const field of freeFields(registers)) expect(Buffer.byteLength(JSON.stringify(registers[field]?.v))).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(JSON.stringify(registers.metadata?.v))).toBeLessThanOrEqual(16_384);
    expect(Buffer.byteLength(JSON.stringify(registers))).toBeLessThan(1_000_000);
    expect(String(registers["data.f0"]?.v)).toMatch(/^\[\{"n":0,.*… \(\d+ bytes: see the event\)$/);
    expect(Buffer.byteLength(JSON.stringify(registers["data.f0"]?.v))).toBeGreaterThan(4000);
    expect(fold([uploaded(1, { small: long.small })])["data.small"]?.v).toEqual(long.small);
  });

  it("of a pipeline are its stages, bounded in the same way", () => {
    const moves = Array.from(
      { length: 300 },
      (_, n): FoldableEvent => ({
        eventId: `e${n}`,
        type: "pipeline.stage_changed",
        created: n,
        data: { taskId: "t", pipelineId: "x", toStage: `Stage ${String(n).padStart(3, "0")}` },
      }),
    );
    const [one, other] = [foldRecord("pipeline", "x", moves), foldRecord("pipeline", "x", [...moves].reverse())];
    expect(Object.keys(one).filter((field) => field.startsWith("stage:"))).toHaveLength(200);
    expect(recordOf("pipeline", "x", one).fieldsLeftOut).toBe(true);
    expect(canonicalText(one)).toBe(canonicalText(other));
  });
});
