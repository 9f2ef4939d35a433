import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EventFilter, findFilterProblem } from "#lib/contracts/forwarding/event-filter";
import { BatchFilters, Comparisons, comparisonsFor, compileFilter } from "#lib/forwarding/match-filter";

// An interpretation of its own, written from docs/forwarding.md: a filter is
// turned into a list of conditions on paths, each told in terms of the values
// found there, and evaluated by other means than the product's.

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Found = { there: false } | { there: true; value: Json };

const lookUp = (found: Found, name: string): Found =>
  found.there &&
  found.value !== null &&
  typeof found.value === "object" &&
  !Array.isArray(found.value) &&
  Object.keys(found.value).includes(name)
    ? { there: true, value: found.value[name] as Json }
    : { there: false };

const all = (found: Found): Json[] => (!found.there ? [] : Array.isArray(found.value) ? found.value : [found.value]);
const same = (a: Json, b: Json) => (JSON.stringify(a) === JSON.stringify(b) && typeof a !== "object" ? true : a === null && b === null);
const ordered = (a: Json, b: Json): number | null => {
  if (typeof a === "number" && typeof b === "number") return Math.sign(a - b);
  if (typeof a === "string" && typeof b === "string") return a === b ? 0 : [a, b].sort()[0] === a ? -1 : 1;
  return null;
};

const OPERATORS: Record<string, (found: Found, operand: Json) => boolean> = {
  $eq: (found, operand) => found.there && meets(found, operand),
  $neq: (found, operand) => found.there && !meets(found, operand),
  $in: (found, operand) => found.there && (operand as Json[]).filter((each) => meets(found, each)).length > 0,
  $nin: (found, operand) => found.there && (operand as Json[]).filter((each) => meets(found, each)).length === 0,
  $gt: (found, operand) => all(found).some((each) => ordered(each, operand) === 1),
  $gte: (found, operand) => all(found).some((each) => [0, 1].includes(ordered(each, operand) ?? 9)),
  $lt: (found, operand) => all(found).some((each) => ordered(each, operand) === -1),
  $lte: (found, operand) => all(found).some((each) => [0, -1].includes(ordered(each, operand) ?? 9)),
  $startsWith: (found, operand) =>
    all(found).some((each) => typeof each === "string" && [operand].flat().some((start) => each.slice(0, String(start).length) === start)),
  $endsWith: (found, operand) =>
    all(found).some(
      (each) => typeof each === "string" && [operand].flat().some((end) => end === "" || each.slice(-String(end).length) === end),
    ),
  $exist: (found, operand) => found.there === operand,
  $and: (found, operand) => !(operand as Json[]).some((each) => !meets(found, each)),
  $or: (found, operand) => !(operand as Json[]).every((each) => !meets(found, each)),
  $not: (found, operand) => found.there && !meets(found, operand),
};

function meets(found: Found, operand: Json): boolean {
  if (Array.isArray(operand))
    return found.there && Array.isArray(found.value) && operand.filter((each) => !all(found).some((one) => same(one, each))).length === 0;
  if (operand === null || typeof operand !== "object") return all(found).some((each) => same(each, operand));
  const names = Object.keys(operand);
  const namesFields = names.some((name) => name[0] !== "$");
  if (found.there && Array.isArray(found.value) && namesFields)
    return found.value.map((value) => meets({ there: true, value }, operand)).includes(true);
  for (const name of names) {
    const argument = operand[name] as Json;
    if (!(name[0] === "$" ? OPERATORS[name]?.(found, argument) : meets(lookUp(found, name), argument))) return false;
  }
  return true;
}

const scalar = fc.oneof(fc.constantFrom<Json>("a", "ab", "b", "", 0, 1, 2, -1.5, true, false, null), fc.string({ maxLength: 3 }));
const name = fc.constantFrom("a", "b", "c", "hasOwnProperty", "__proto__x");
const payload = fc.letrec<{ value: Json; object: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
  object: fc.dictionary(name, tie("value"), { maxKeys: 4 }) as fc.Arbitrary<Json>,
})).object;
const filter = fc.letrec<{ operand: Json; object: Json }>((tie) => ({
  operand: fc.oneof({ maxDepth: 3 }, scalar, fc.array(scalar, { maxLength: 2 }), tie("object")),
  object: fc
    .array(
      fc.oneof(
        fc.tuple(name, tie("operand")),
        fc.tuple(fc.constantFrom("$eq", "$neq", "$not"), tie("operand")),
        fc.tuple(fc.constantFrom("$in", "$nin"), fc.array(scalar, { maxLength: 3 })),
        fc.tuple(fc.constantFrom("$gt", "$gte", "$lt", "$lte"), fc.constantFrom<Json>(0, 1, 1.5, "a", "b")),
        fc.tuple(fc.constantFrom("$startsWith", "$endsWith"), fc.constantFrom<Json>("a", "", "b", ["a", "x"])),
        fc.tuple(fc.constant("$exist"), fc.boolean()),
        fc.tuple(fc.constantFrom("$and", "$or"), fc.array(tie("operand"), { minLength: 1, maxLength: 3 })),
      ) as fc.Arbitrary<[string, Json]>,
      { minLength: 1, maxLength: 3 },
    )
    .map((entries) => Object.fromEntries(entries) as Json),
})).object;

const matchesFilter = (value: Json, criteria: EventFilter) => compileFilter(criteria)(value, new Comparisons(1e9)) === "matched";

/** As `comparisonsFor` allows the body of that payload. */
const verdictOf = (value: Json, criteria: EventFilter) =>
  compileFilter(criteria)(value, new Comparisons(comparisonsFor(JSON.stringify(value).length)));
const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, at) => first + at);

describe("the payload filter", () => {
  test("agrees with an interpretation of its own, for any filter and payload", () => {
    let matched = 0;
    fc.assert(
      fc.property(payload, filter, (value, criteria) => {
        expect(findFilterProblem(criteria)).toBeNull();
        const result = matchesFilter(value, criteria as EventFilter);
        if (result) matched += 1;
        expect(result).toBe(meets({ there: true, value }, criteria));
      }),
      { numRuns: 5000, seed: 15 },
    );
    expect(matched).toBeGreaterThan(100);
  });

  test.each([
    [{ $regex: "a" }, "$regex is not an operator"],
    [{ data: { $near: 1 } }, "$near is not an operator"],
    [{ data: { $or: [{ a: { $gtt: 1 } }] } }, "$gtt is not an operator"],
    [{ a: { $in: "x" } }, "list"],
    [{ a: { $exist: "yes" } }, "true or false"],
    [{ a: { $gt: true } }, "number or a string"],
    [{ $or: [] }, "at least one"],
    [{ a: {} }, "empty"],
    [{ a: [{ b: 1 }] }, "list can only hold"],
    [[1], "JSON object"],
    ["text", "JSON object"],
  ])("%j is refused, and says why", (criteria, why) => {
    expect(findFilterProblem(criteria)?.message).toContain(why);
  });

  test.each([1000, 30_000])("a filter that is nested %i deep is refused", (levels) => {
    const deep = JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`) as Json;
    expect(findFilterProblem(deep)?.message).toContain("nested");
  });

  test.each(["\ud800", "a\u0000"])("a filter with %j, in a value or in a name, is refused", (hostile) => {
    expect(findFilterProblem({ data: { a: { $in: ["x", hostile] } } })).toMatchObject({ path: "data.a.$in.1" });
    expect(findFilterProblem({ data: { [hostile]: 1 } })?.message).toContain("unpaired surrogate");
    expect(findFilterProblem({ data: { a: "\\u0000 as it is written" } })).toBeNull();
  });

  test.each([
    ["$in", { data: { list: { $in: numbers(3000, 1e6) } } }, "not_matched"],
    ["$nin", { data: { list: { $nin: numbers(3000, 1e6) } } }, "matched"],
    ["a list", { data: { list: numbers(3000, 1e6) } }, "not_matched"],
    ["$or", { data: { list: { $or: [...numbers(3000, 1e6), { $gt: 1e6 }] } } }, "not_matched"],
  ])("a long list costs no more than a short one: %s of 3,000 values is decided for 100,000 elements", (_, criteria, verdict) => {
    expect(verdictOf({ data: { list: numbers(100_000) } }, criteria)).toBe(verdict);
  });

  test.each([
    ["$or", { data: { list: { $or: numbers(1000, 1e6).map((n) => ({ $eq: n })) } } }],
    ["$and", { data: { list: { $and: numbers(1000, 1e6).map((n) => ({ $neq: n })) } } }],
    ["$startsWith", { data: { texts: { $startsWith: numbers(1000).map((n) => `x${n}`) } } }],
    ["fields of many objects", { data: { objects: { $or: numbers(1000).map((n) => ({ a: n + 1 })) } } }],
  ])("%s that compares everything with everything is ended, and decides nothing", (_, criteria) => {
    const list = numbers(20_000);
    const value = { data: { list, texts: list.map(String), objects: list.map(() => ({ a: 0 })) } };
    expect(verdictOf(value, criteria)).toBe("too_costly");
    expect(verdictOf({ data: { list: [1e6], texts: ["x1"], objects: [{ a: 1 }] } }, criteria)).not.toBe("too_costly");
  });

  test("a destination spends its own share of a batch, and no other's", () => {
    const filters = new BatchFilters(2, 200_000);
    const costly = { id: "dst_1", filter: { data: { list: { $or: numbers(1000, 1e6).map((n) => ({ $eq: n })) } } } };
    const cheap = { id: "dst_2", filter: { data: { list: 7 } } };
    const match = (destination: typeof costly | typeof cheap) => filters.match(destination, { data: { list: numbers(100) } }, 20_000);
    const verdicts = numbers(4).map(() => [match(costly), match(cheap)]);
    expect(verdicts).toEqual([
      ["too_costly", "matched"],
      ["too_costly", "matched"],
      ["too_costly", "matched"],
      ["too_costly", "matched"],
    ]);
  });

  test("a cheap match is decided however much the batch's other events took", () => {
    const filters = new BatchFilters(1, 1000);
    const destination = { id: "dst_1", filter: { data: { list: { $or: numbers(10, 1e6).map((n) => ({ $eq: n })) } } } };
    const verdicts = numbers(20).map(() => filters.match(destination, { data: { list: numbers(50) } }, 200));
    expect(new Set(verdicts)).toEqual(new Set(["not_matched"]));
  });

  test("a payload of lists in lists, nested deeper than calls can be, is decided", () => {
    const nested = JSON.parse(`{"data":{"list":${"[".repeat(100_000)}{"a":1}${"]".repeat(100_000)}}}`) as Json;
    expect(matchesFilter(nested, { data: { list: { a: 1 } } })).toBe(true);
    expect(matchesFilter(nested, { data: { list: { a: 2 } } })).toBe(false);
  });
});
