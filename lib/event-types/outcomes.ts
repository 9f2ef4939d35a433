import { type FieldFormat, JSON_TYPES, type JsonType } from "#lib/contracts/event-types";
import type { EventRef, FieldStats } from "./schema.ts";

/** Formats that one field may mix without being another: numbers as text grow by a digit, IDs look like words now and then. */
const FORMAT_CLASS = {
  uuid: "uuid",
  "date-time": "date-time",
  date: "date",
  email: "email",
  url: "url",
  phone: "numeric",
  digits: "numeric",
  "decimal-text": "numeric",
  id: "text",
  text: "text",
  empty: "empty",
  int: "int",
  decimal: "decimal",
} as const satisfies Record<FieldFormat, string>;
export type FormatClass = (typeof FORMAT_CLASS)[FieldFormat];

/** What a look at a field may find. The positions are stored: new ones go to the end. */
const OUTCOMES = [
  "absent",
  ...JSON_TYPES,
  "uuid",
  "date-time",
  "date",
  "email",
  "url",
  "numeric",
  "text",
  "empty",
  "int",
  "decimal",
] as const satisfies readonly ("absent" | JsonType | FormatClass)[];
/** `value`: one that its enumeration does not have. `size`: of the body. */
export type Outcome = (typeof OUTCOMES)[number] | "value" | "size";

export const ABSENT = 1;

const BITS = Object.fromEntries(OUTCOMES.map((outcome, at) => [outcome, 1 << at])) as Record<Exclude<Outcome, "value" | "size">, number>;

export const typeBit = (type: JsonType): number => BITS[type];
export const formatBit = (format: FieldFormat): number => BITS[FORMAT_CLASS[format]];
export const formatClass = (format: FieldFormat): FormatClass => FORMAT_CLASS[format];
export const isTypeOutcome = (outcome: Outcome): outcome is JsonType => (JSON_TYPES as readonly string[]).includes(outcome);
export const bitOf = (outcome: Outcome): number => (outcome === "value" || outcome === "size" ? 0 : BITS[outcome]);
/** Returns the outcomes that are usual once this one is: with a type its formats. */
export const bitsWith = (outcome: Outcome, stats: FieldStats | undefined): number =>
  bitOf(outcome) | (stats && isTypeOutcome(outcome) ? bitsOf(stats) : 0);
export const outcomesIn = (bits: number): Outcome[] => OUTCOMES.filter((_, at) => (bits & (1 << at)) !== 0);

/** The outcomes that a field's statistics show, `absent` left out. */
export function bitsOf({ types, formats }: FieldStats): number {
  let bits = 0;
  for (const type of Object.keys(types) as JsonType[]) bits |= typeBit(type);
  for (const format of Object.keys(formats) as FieldFormat[]) bits |= formatBit(format);
  return bits;
}

/** An observation out of the ordinary. `record`, `minute`: what it shares with others that count with it as one. */
export type Unit = { at: number; record: string; minute: string; event: EventRef };

/** Observations out of the ordinary of one field and outcome. `at`, `runs`: counted from the first observation of the field. */
export type Deviation = {
  n: number;
  /** Observations out of the ordinary without a usual one between them: first and last of each, the newest eight. */
  runs: [first: number, last: number][];
  /** Of different records and different minutes; the first of each run, and the newest. */
  units: Unit[];
};

const MAX_RUNS = 8;
export const MAX_UNITS = 32;

export const newDeviation = (): Deviation => ({ n: 0, runs: [], units: [] });

/** Adds an observation; `unit` is asked for only where it may count. */
export function noteDeviation(deviation: Deviation, at: number, unit: () => Omit<Unit, "at">): void {
  deviation.n += 1;
  addRun(deviation.runs, [at, at]);
  if (deviation.units.length >= MAX_UNITS && deviation.runs.length === 1) return;
  addUnit(deviation.units, { at, ...unit() });
}

function addRun(runs: Deviation["runs"], [first, last]: [number, number]): void {
  const newest = runs.at(-1);
  // Several elements of one list are observed at the same place.
  if (newest && first <= newest[1] + 1) newest[1] = Math.max(newest[1], last);
  else runs.push([first, last]);
  if (runs.length > MAX_RUNS) runs.shift();
}

function addUnit(units: Unit[], unit: Unit): void {
  if (units.some(({ record, minute }) => record === unit.record || minute === unit.minute)) return;
  units.push(unit);
  if (units.length > MAX_UNITS) units.shift();
}

/** Appends what was observed later. @param offset observations before `next` began to count */
export function joinDeviations(before: Deviation | undefined, next: Deviation, offset: number): Deviation {
  const joined: Deviation = before
    ? { n: before.n, runs: before.runs.map(([first, last]) => [first, last]), units: [...before.units] }
    : newDeviation();
  joined.n += next.n;
  for (const [first, last] of next.runs) addRun(joined.runs, [first + offset, last + offset]);
  for (const unit of next.units) addUnit(joined.units, { ...unit, at: unit.at + offset });
  return joined;
}
