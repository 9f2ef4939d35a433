import { isExactNumber, isNumber, isObject } from "#lib/contracts/exact-json";
import { compareNumbers, numberKey } from "#lib/contracts/exact-numbers";
import { type EventFilter, isOperator, type Operator } from "#lib/contracts/forwarding/event-filter";

/** Less than a second of a processor. */
const COMPARISONS_OF_A_BATCH = 30_000_000;

type Filtering = { match: CompiledFilter; left: number };

/** Filters of a workspace's destinations, each compiled once, with an equal share of a batch's comparisons. A cheap match always runs. */
export class BatchFilters {
  private readonly share: number;
  private readonly filters = new Map<string, Filtering>();

  constructor(destinations: number, comparisons = COMPARISONS_OF_A_BATCH) {
    this.share = Math.floor(comparisons / Math.max(1, destinations));
  }

  match({ id, filter }: { id: string; filter: EventFilter }, payload: unknown, bytes: number): FilterVerdict {
    const filtering = this.filters.get(id) ?? { match: compileFilter(filter), left: this.share };
    this.filters.set(id, filtering);
    const given = Math.min(comparisonsFor(bytes), Math.max(filtering.left, cheapComparisonsFor(bytes)));
    const comparisons = new Comparisons(given);
    const verdict = filtering.match(payload, comparisons);
    filtering.left -= given - Math.max(0, comparisons.left);
    return verdict;
  }
}

/** `too_costly`: the match was ended before it had a result. */
export type FilterVerdict = "matched" | "not_matched" | "too_costly";

export type CompiledFilter = (payload: unknown, comparisons: Comparisons) => FilterVerdict;

/** A small body may cost as much as the largest filter with a few values at each path; a large one about as much as parsing it. */
const COMPARISONS_OF_ANY_BODY = 20_000;
const COMPARISONS_PER_BYTE = 2;

export const comparisonsFor = (bytes: number): number => COMPARISONS_OF_ANY_BODY + COMPARISONS_PER_BYTE * bytes;

/** A filter of a few fields takes fewer on a body of any length: each value is some bytes, and is compared a few times. */
const cheapComparisonsFor = (bytes: number): number => 2000 + bytes;

export class Comparisons {
  left: number;

  constructor(left: number) {
    this.left = left;
  }

  spend(count: number): void {
    this.left -= count;
    if (this.left < 0) throw SPENT;
  }

  /** Looks for the first accepted element; `cost` is the comparisons of one. @throws SPENT when none are left before */
  finds(list: readonly unknown[], accepts: (element: unknown) => boolean, cost = 1): boolean {
    const reach = Math.min(list.length, Math.floor(this.left / cost));
    for (let at = 0; at < reach; at += 1)
      if (accepts(list[at])) {
        this.left -= (at + 1) * cost;
        return true;
      }
    this.spend(list.length * cost);
    return false;
  }
}

const SPENT = Symbol("comparisons spent");
const MISSING = Symbol("missing");

type Test = (value: unknown, comparisons: Comparisons) => boolean;

/** Compiles a checked filter. A missing field matches only `{"$exist": false}`; an array matches when it contains the operand. */
export function compileFilter(filter: EventFilter): CompiledFilter {
  const test = testOf(filter);
  return (payload, comparisons) => {
    try {
      return test(payload, comparisons) ? "matched" : "not_matched";
    } catch (error) {
      if (error === SPENT) return "too_costly";
      throw error;
    }
  };
}

function testOf(operand: unknown): Test {
  if (Array.isArray(operand)) return containsAll(operand);
  if (!isObject(operand)) return isOneOf([operand]);
  const tests = Object.entries(operand).map(([name, argument]) =>
    isOperator(name) ? operatorTest(name, argument) : name.startsWith("$") ? () => false : fieldTest(name, argument),
  );
  const all: Test = (value, comparisons) =>
    tests.every((test) => {
      comparisons.spend(1);
      return test(value, comparisons);
    });
  if (Object.keys(operand).every((name) => name.startsWith("$"))) return all;
  // In an array of objects, one and the same element must match all fields.
  return (value, comparisons) => (Array.isArray(value) ? someElement(value, all, comparisons) : all(value, comparisons));
}

/** True when an element passes, at any depth of lists. Not recursive: a payload may be nested deeper than the call stack. */
function someElement(list: unknown[], test: Test, comparisons: Comparisons): boolean {
  const left: unknown[] = [list];
  while (left.length > 0) {
    const element = left.pop();
    comparisons.spend(1);
    if (Array.isArray(element)) for (const each of element) left.push(each);
    else if (test(element, comparisons)) return true;
  }
  return false;
}

function fieldTest(name: string, argument: unknown): Test {
  const test = testOf(argument);
  return (value, comparisons) => test(isObject(value) && Object.hasOwn(value, name) ? value[name] : MISSING, comparisons);
}

/** Returns a value's index among these, by decimal value for numbers (1.10 is 1.1), so a list costs one comparison for each value. */
function placesOf(wanted: readonly unknown[]): (value: unknown) => number | undefined {
  const places = new Map(wanted.filter((each) => !isNumber(each)).map((each, place) => [each, place]));
  const numbers = new Map(wanted.filter(isNumber).map((each, place) => [numberKey(each), -1 - place]));
  return (value) => {
    if (typeof value === "number") return numbers.get(value);
    return isExactNumber(value) ? numbers.get(numberKey(value)) : places.get(value);
  };
}

function isOneOf(wanted: readonly unknown[]): Test {
  const [only] = wanted;
  const placeOf = placesOf(wanted);
  const isText = wanted.length === 1 && !isNumber(only);
  const accepts = isText ? (element: unknown) => element === only : (element: unknown) => placeOf(element) !== undefined;
  return (value, comparisons) => (Array.isArray(value) ? comparisons.finds(value, accepts) : accepts(value));
}

function containsAll(wanted: readonly unknown[]): Test {
  const placeOf = placesOf(wanted);
  const places = new Set(wanted.map(placeOf));
  return (value, comparisons) => {
    if (!Array.isArray(value)) return false;
    comparisons.spend(value.length + places.size);
    const found = new Set(value.map(placeOf));
    found.delete(undefined);
    return found.size === places.size;
  };
}

function operatorTest(operator: Operator, argument: unknown): Test {
  switch (operator) {
    case "$exist":
      return (value) => (value !== MISSING) === argument;
    // With these a missing field may still match, by a `$exist` within.
    case "$and": {
      const tests = (argument as unknown[]).map(testOf);
      return (value, comparisons) => tests.every((test) => spending(test, value, comparisons));
    }
    case "$or": {
      const tests = alternatives(argument as unknown[]);
      return (value, comparisons) => tests.some((test) => spending(test, value, comparisons));
    }
    case "$eq":
      return ofPresent(testOf(argument));
    case "$in":
      return ofPresent(isOneOf(argument as unknown[]));
    case "$not":
    case "$neq":
      return ofPresent(negated(testOf(argument)));
    case "$nin":
      return ofPresent(negated(isOneOf(argument as unknown[])));
    default:
      return ofPresent(someValue(comparisonOf(operator, argument), Array.isArray(argument) ? argument.length : 1));
  }
}

/** Plain values are looked up together: one alternative instead of many. */
function alternatives(operands: unknown[]): Test[] {
  const isPlain = (operand: unknown) => !Array.isArray(operand) && !isObject(operand);
  const plain = operands.filter(isPlain);
  return [...(plain.length > 0 ? [isOneOf(plain)] : []), ...operands.filter((each) => !isPlain(each)).map(testOf)];
}

function spending(test: Test, value: unknown, comparisons: Comparisons): boolean {
  comparisons.spend(1);
  return test(value, comparisons);
}

const ofPresent =
  (test: Test): Test =>
  (value, comparisons) =>
    value !== MISSING && test(value, comparisons);

const negated =
  (test: Test): Test =>
  (value, comparisons) =>
    !test(value, comparisons);

const someValue =
  (compares: (value: unknown) => boolean, cost: number): Test =>
  (value, comparisons) =>
    comparisons.finds(Array.isArray(value) ? value : [value], compares, cost);

/** Numbers with numbers, texts with texts (by code units); anything else does not compare. */
function comparisonOf(
  operator: Exclude<Operator, "$exist" | "$and" | "$or" | "$eq" | "$in" | "$not" | "$neq" | "$nin">,
  argument: unknown,
): (value: unknown) => boolean {
  if (operator === "$startsWith" || operator === "$endsWith") {
    const wanted = (Array.isArray(argument) ? argument : [argument]) as string[];
    const fits = operator === "$startsWith" ? "startsWith" : "endsWith";
    return (value) => typeof value === "string" && wanted.some((each) => value[fits](each));
  }
  switch (operator) {
    case "$gt":
      return (value) => order(value, argument) > 0;
    case "$gte":
      return (value) => order(value, argument) >= 0;
    case "$lt":
      return (value) => order(value, argument) < 0;
    case "$lte":
      return (value) => order(value, argument) <= 0;
  }
}

/** Negative where the first comes first; NaN where they don't compare, which fails every comparison. */
function order(value: unknown, limit: unknown): number {
  if (isNumber(value) && isNumber(limit)) return compareNumbers(value, limit);
  if (typeof value !== "string" || typeof limit !== "string") return Number.NaN;
  return value < limit ? -1 : Number(value > limit);
}
