import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseExact } from "#lib/contracts/exact-json";
import { type Lesson, LiveSchema } from "#lib/event-types/live-schema";
import { emptyTree, foldMaps, mergeTrees } from "#lib/event-types/merge";
import type { SchemaTree } from "#lib/event-types/schema";
import { lesson } from "#tests/support/lessons";

/** Payloads of one sender: optional fields, several types, lists, enumerations, maps, digits. */
const payload = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 12 }),
    status: fc.constantFrom("open", "closed", "held"),
    amount: fc.constantFrom("1.10", "1.1", "-3", "250000", "1e400", "0.5").map((text) => parseExact(text)),
    when: fc.constantFrom("2026-01-01", "2026-01-01T10:00:00Z", "", "soon"),
    items: fc.array(fc.record({ sku: fc.string({ maxLength: 5 }), n: fc.option(fc.nat(9)) }, { requiredKeys: ["sku"] }), { maxLength: 10 }),
    members: fc.dictionary(fc.constantFrom("ada@example.com", "bob@example.com", "team"), fc.boolean(), { maxKeys: 3 }),
    other: fc.oneof(fc.constant(null), fc.nat(), fc.record({ a: fc.boolean() }), fc.constantFrom("x", "y".repeat(60))),
  },
  { requiredKeys: ["id", "status"] },
);

function taught(lessons: Lesson[]): SchemaTree {
  const live = new LiveSchema("ety_1");
  for (const one of lessons) live.teach(one);
  return live.take().tree;
}

const shuffled = <T>(items: T[], keys: number[]): T[] =>
  items
    .map((item, at) => ({ item, key: keys[at] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

it("any partition of the events among workers, in any order, adds up to the same", () => {
  fc.assert(
    fc.property(
      fc.array(payload, { minLength: 1, maxLength: 40 }),
      fc.infiniteStream(fc.nat(1000)),
      fc.nat(3),
      (payloads, stream, more) => {
        const take = () => payloads.map(() => stream.next().value as number);
        const lessons = payloads.map((data, n) => lesson(n, data as Record<string, unknown>, { record: { kind: "doc", id: `d${n % 7}` } }));
        const whole = foldMaps(mergeTrees(emptyTree(), taught(lessons)));
        const workers = more + 1;
        const parts: Lesson[][] = Array.from({ length: workers }, () => []);
        const turns = take();
        for (const [at, one] of shuffled(lessons, take()).entries()) parts[(turns[at] as number) % workers]?.push(one);
        const deltas = parts.map(taught);
        expect(foldMaps(deltas.reduce(mergeTrees, emptyTree()))).toEqual(whole);
        expect(foldMaps(deltas.reduceRight((sum, delta) => foldMaps(mergeTrees(delta, sum)), emptyTree()))).toEqual(whole);
      },
    ),
    { numRuns: 150 },
  );
});

it("folds maps in maps", () => {
  const nested = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}z`, { [`in ${n}`]: n }]));
  const rows = Array.from({ length: 120 }, (_, n) => lesson(n, { m: { [`key number ${n}`]: nested } }));
  const tree = foldMaps(mergeTrees(emptyTree(), taught(rows)));
  expect(tree.maps).toContain("data.m");
  expect(Object.keys(tree.fields).every((path) => !path.includes("key number"))).toBe(true);
});
