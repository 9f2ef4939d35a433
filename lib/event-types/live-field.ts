import { FIELD_FORMATS, type FieldFormat, JSON_TYPES, type JsonType } from "#lib/contracts/event-types";
import { isExactNumber, isNumber } from "#lib/contracts/exact-json";
import { formatOf, isPersonalField, mayBeValue, prefixOf } from "./formats.ts";
import { compareRefs, highest, joinRecords, LONG_NUMBER, lowest, MANY_PREFIXES, MANY_RECORDS } from "./merge.ts";
import { ABSENT, type Deviation, formatBit, newDeviation, typeBit } from "./outcomes.ts";
import { elementPath, entryPath, keyPath } from "./paths.ts";
import { ENUM_AFTER, type EventRef, type FieldStats, type FieldValue, MAX_VALUES, type Occurrences } from "./schema.ts";

export const NULL = JSON_TYPES.indexOf("null");
export const NUMBER = JSON_TYPES.indexOf("number");
export const STRING = JSON_TYPES.indexOf("string");
export const OBJECT = JSON_TYPES.indexOf("object");
export const ARRAY = JSON_TYPES.indexOf("array");
const BOOLEAN = JSON_TYPES.indexOf("boolean");
const INT = FIELD_FORMATS.indexOf("int");
const DECIMAL = FIELD_FORMATS.indexOf("decimal");
const FORMAT_AT = new Map(FIELD_FORMATS.map((format, at) => [format, at]));
const TYPE_BITS = JSON_TYPES.map(typeBit);
const FORMAT_BITS = FIELD_FORMATS.map(formatBit);

export const typeBitAt = (type: number): number => TYPE_BITS[type] as number;
export const formatBitAt = (format: number): number => FORMAT_BITS[format] as number;

/** Returns the position of a value's type in JSON_TYPES. */
export function typeAt(value: unknown): number {
  if (value === null || value === undefined) return NULL;
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return NUMBER;
    case "boolean":
      return BOOLEAN;
    default:
      return Array.isArray(value) ? ARRAY : isExactNumber(value) ? NUMBER : OBJECT;
  }
}

/** A counter with its first and last event. */
export class Tally {
  n = 0;
  first: EventRef | undefined;
  last: EventRef | undefined;

  add(ref: EventRef): void {
    this.n += 1;
    this.widen(ref);
  }

  join({ n, first, last }: Tally): void {
    this.n += n;
    if (first) this.widen(first);
    if (last) this.widen(last);
  }

  /** Most events come in the order of the log. */
  private widen(ref: EventRef): void {
    if (this.last === undefined || compareRefs(ref, this.last) > 0) {
      this.last = ref;
      this.first ??= ref;
    } else if (compareRefs(ref, this.first as EventRef) < 0) this.first = ref;
  }

  reset(): void {
    this.n = 0;
    this.first = undefined;
    this.last = undefined;
  }

  get occurrences(): Occurrences {
    return { n: this.n, first: this.first as EventRef, last: this.last as EventRef };
  }
}

class ValueTally extends Tally {
  records: string[] = [];
  readonly hash: string;
  readonly format: FieldFormat;

  constructor(hash: string, format: FieldFormat) {
    super();
    this.hash = hash;
    this.format = format;
  }
}

/** What a pinned schema allows: outcomes, and the values of an enumeration. */
export type PinnedField = { usual: number; values?: readonly string[] };

/** What is stored of a field. */
type KnownField = {
  stats: FieldStats | undefined;
  usual: number | undefined;
  pin: PinnedField | undefined;
  unaccepted: readonly string[] | undefined;
};

/** Outcomes of a field's first observations are what is usual; later ones that were never seen are noted. */
export const SETTLED_AFTER = 100;

/** A field as a worker sees it: what it has counted since it last handed it on, beside what is known. */
export class LiveField {
  readonly path: string;
  readonly depth: number;
  /** No value and no number is kept: its name tells of a person, or a person said that it is no enumeration. */
  withheld: boolean;
  /** Outcomes that are no surprise. */
  usual = 0;
  isMap = false;
  knownN = 0;
  knownObjects = 0;
  /** Observations since they were last handed on. */
  n = 0;
  objects = 0;
  readonly children = new Map<string, LiveField>();
  /** How many children were never absent: an object that lacks one is told by a count, without a look at each. */
  required = 0;
  isRequired = false;
  /** 0 where a pin says what is usual. */
  settledAfter = SETTLED_AFTER;
  element: LiveField | undefined;
  entry: LiveField | undefined;
  readonly deviations = new Map<string, Deviation>();
  /** By hash; null when it is no enumeration. */
  knownValues: Readonly<Record<string, FieldValue>> | null = {};
  private readonly key: string;
  /** Of texts and numbers those that were not read: the others are counted by their format. */
  private readonly types: (Tally | undefined)[] = [];
  private readonly formats: (Tally | undefined)[] = [];
  /** By text, in memory only: stored are hashes until the field is known to be an enumeration. */
  private values: Map<string, ValueTally> | null = new Map();
  private length: [number, number] | undefined;
  private elements: [number, number] | undefined;
  private digits: [number, number] | undefined;
  private number: [number | string, number | string] | undefined;
  private prefixes = new Set<string>();
  /** True if a value never seen is a surprise. */
  private isClosed = false;
  private pinned: ReadonlySet<string> | undefined;
  /** Hashes of values that came to a closed enumeration: each event that has one counts, until it is accepted or gone. */
  private unaccepted: readonly string[] = [];

  constructor(path: string, depth: number, key: string, holder?: string) {
    this.path = path;
    this.depth = depth;
    this.key = key;
    this.withheld = isPersonalField(key, holder);
  }

  /** Observations, known and new. */
  get total(): number {
    return this.knownN + this.n;
  }

  get totalObjects(): number {
    return this.knownObjects + this.objects;
  }

  newChild(key: string): LiveField {
    const child = new LiveField(keyPath(this.path, key), this.depth + 1, key, this.key);
    this.children.set(key, child);
    return child;
  }

  newElement(): LiveField {
    this.element = new LiveField(elementPath(this.path), this.depth + 1, this.key);
    return this.element;
  }

  newEntry(): LiveField {
    this.entry = new LiveField(entryPath(this.path), this.depth + 1, this.key);
    return this.entry;
  }

  setRequired(parent: LiveField, isRequired: boolean): void {
    if (this.isRequired === isRequired) return;
    this.isRequired = isRequired;
    parent.required += isRequired ? 1 : -1;
  }

  /** Counts what has no format, or was not read. */
  countType(type: number, ref: EventRef): void {
    this.n += 1;
    tallyAt(this.types, type).add(ref);
  }

  /** Counts several events that were not read. */
  countSight(type: number, tally: Tally): void {
    this.n += tally.n;
    tallyAt(this.types, type).join(tally);
  }

  /** Returns the format's position. `hashOf`, `record` are asked for only when a value may be one of an enumeration. */
  readText(text: string, ref: EventRef, hashOf: (text: string) => string, record: () => string): number {
    this.length = widened(this.length, text.length);
    const known = this.values?.get(text);
    const format = known?.format ?? formatOf(text);
    if (!this.withheld && this.values) this.countValue(known, text, format, ref, hashOf, record);
    if (format === "id" && !this.prefixes.has(MANY_PREFIXES)) this.countPrefix(text);
    return this.countFormat(FORMAT_AT.get(format) as number, ref);
  }

  private countValue(
    known: ValueTally | undefined,
    text: string,
    format: FieldFormat,
    ref: EventRef,
    hashOf: (text: string) => string,
    record: () => string,
  ): void {
    let tally = known;
    if (!tally) {
      if (!mayBeValue(text, format) || this.knownValues === null || (this.values as Map<string, ValueTally>).size >= MAX_VALUES) {
        this.values = null;
        return;
      }
      tally = new ValueTally(hashOf(text), format);
      this.values?.set(text, tally);
    }
    tally.add(ref);
    if (tally.records[0] !== MANY_RECORDS) tally.records = joinRecords(tally.records, [record()]);
  }

  /** True for a text that the field's enumeration does not have. */
  isNewValue(text: string): boolean {
    if (this.pinned) return !this.pinned.has(text);
    const tally = this.isClosed ? this.values?.get(text) : undefined;
    return (
      tally !== undefined &&
      this.knownValues !== null &&
      (!Object.hasOwn(this.knownValues, tally.hash) || this.unaccepted.includes(tally.hash))
    );
  }

  private countPrefix(text: string): void {
    for (const known of this.prefixes) if (text[known.length] === "_" && text.startsWith(known)) return;
    const prefix = prefixOf(text);
    if (prefix === undefined) return;
    this.prefixes.add(prefix);
    if (this.prefixes.size > MAX_PREFIXES) this.prefixes = new Set([MANY_PREFIXES]);
  }

  /** Returns the format's position. */
  readNumber(value: unknown, ref: EventRef): number {
    const double = Number(value);
    const size = Math.abs(double);
    const digits = size < 10 ? 1 : size === Number.POSITIVE_INFINITY ? MAX_DIGITS : Math.floor(Math.log10(size)) + 1;
    this.digits = widened(this.digits, digits);
    if (!this.withheld && this.digits[1] < LONG_NUMBER && isNumber(value)) this.widenNumber(value);
    return this.countFormat(Number.isInteger(double) ? INT : DECIMAL, ref);
  }

  private widenNumber(value: unknown): void {
    const { number } = this;
    if (number === undefined) {
      this.number = [value as number, value as number];
      return;
    }
    if (typeof value === "number" && typeof number[0] === "number" && typeof number[1] === "number") {
      if (value < number[0]) number[0] = value;
      else if (value > number[1]) number[1] = value;
      return;
    }
    number[0] = lowest(String(number[0]), String(value));
    number[1] = highest(String(number[1]), String(value));
  }

  readLength(elements: number): void {
    this.elements = widened(this.elements, elements);
  }

  private countFormat(format: number, ref: EventRef): number {
    this.n += 1;
    tallyAt(this.formats, format).add(ref);
    return format;
  }

  deviation(outcome: string): Deviation {
    let found = this.deviations.get(outcome);
    if (!found) {
      found = newDeviation();
      this.deviations.set(outcome, found);
    }
    return found;
  }

  /** Takes over what the stored schema knows. Outcomes of a field with a long past are what is stored, and nothing that was seen here. */
  adopt({ stats, usual, pin, unaccepted = [] }: KnownField): void {
    this.knownN = stats?.n ?? 0;
    this.knownObjects = stats?.objects ?? 0;
    this.knownValues = stats ? stats.values : {};
    if (this.knownValues === null) this.values = null;
    this.isClosed = stats !== undefined && !this.withheld && isClosedEnumeration(stats, unaccepted);
    this.unaccepted = unaccepted;
    this.pinned = pin?.values && new Set(pin.values);
    this.settledAfter = pin ? 0 : SETTLED_AFTER;
    if (pin) this.usual = pin.usual;
    else if (usual !== undefined) this.usual = this.knownN >= SETTLED_AFTER ? usual : this.usual | usual;
  }

  /** Returns what was counted since, and starts at zero; undefined where there was nothing. */
  take(): FieldStats | undefined {
    if (this.n === 0) return undefined;
    const seen = new Tally();
    for (const [format, tally] of this.formats.entries())
      if (tally) tallyAt(this.types, format === INT || format === DECIMAL ? NUMBER : STRING).join(tally);
    for (const tally of this.types) if (tally) seen.join(tally);
    const stats: FieldStats = {
      ...seen.occurrences,
      ...(this.objects > 0 && { objects: this.objects }),
      types: talliesOf<JsonType>(this.types, JSON_TYPES),
      formats: talliesOf<FieldFormat>(this.formats, FIELD_FORMATS),
      ...(this.length && { length: this.length }),
      ...(this.elements && { elements: this.elements }),
      ...(this.digits && { digits: this.digits }),
      ...(this.number &&
        this.digits &&
        this.digits[1] < LONG_NUMBER && { number: [String(this.number[0]), String(this.number[1])] as const }),
      ...(this.prefixes.size > 0 && { prefixes: [...this.prefixes].sort() }),
      values: this.takeValues(),
    };
    this.knownN += this.n;
    this.knownObjects += this.objects;
    this.reset();
    return stats;
  }

  private takeValues(): FieldStats["values"] {
    if (this.withheld || this.values === null || this.knownValues === null) return null;
    const values: Record<string, FieldValue> = {};
    const known = this.knownValues;
    const all = [...this.values.values()];
    const distinct = new Set([...Object.keys(known), ...all.map(({ hash }) => hash)]).size;
    const seen = sumOf(Object.values(known)) + sumOf(all);
    for (const [text, tally] of this.values) {
      const before = known[tally.hash];
      const [records] = joinRecords(before?.records ?? [], tally.records);
      const isKept = seen >= ENUM_AFTER && distinct <= MAX_VALUES && records === MANY_RECORDS;
      if (tally.n > 0) values[tally.hash] = { ...tally.occurrences, records: tally.records, ...(isKept && { text }) };
      // It was counted before the field was known to be an enumeration.
      else if (isKept && before && before.text === undefined) values[tally.hash] = { ...before, n: 0, text };
      tally.reset();
      tally.records = [];
    }
    return values;
  }

  private reset(): void {
    this.n = 0;
    this.objects = 0;
    this.types.length = 0;
    this.formats.length = 0;
    this.length = undefined;
    this.elements = undefined;
    this.digits = undefined;
    this.number = undefined;
    this.prefixes = new Set();
    this.deviations.clear();
  }
}

const MAX_PREFIXES = 4;
const MAX_DIGITS = 400;

const widened = (bounds: [number, number] | undefined, to: number): [number, number] => {
  if (!bounds) return [to, to];
  if (to < bounds[0]) bounds[0] = to;
  if (to > bounds[1]) bounds[1] = to;
  return bounds;
};

function tallyAt(tallies: (Tally | undefined)[], at: number): Tally {
  const known = tallies[at];
  if (known) return known;
  const tally = new Tally();
  tallies[at] = tally;
  return tally;
}

const talliesOf = <K extends string>(tallies: (Tally | undefined)[], names: readonly K[]): Partial<Record<K, Occurrences>> => {
  const named: Partial<Record<K, Occurrences>> = {};
  for (const [at, name] of names.entries()) {
    const tally = tallies[at];
    if (tally && tally.n > 0) named[name] = tally.occurrences;
  }
  return named;
};

const sumOf = (values: { n: number }[]): number => values.reduce((sum, { n }) => sum + n, 0);

/** With so many values seen and none of them once only, the next new one is a surprise (Good-Turing: its chance is about f1 / n). */
const CLOSED_AFTER = 1000;

export function isClosedEnumeration({ values }: FieldStats, unaccepted: readonly string[] = []): boolean {
  if (values === null) return false;
  const known = Object.entries(values).filter(([hash]) => !unaccepted.includes(hash));
  return sumOf(known.map(([, value]) => value)) >= CLOSED_AFTER && known.every(([, { n }]) => n > 1);
}

/** The values that may be told: of an enumeration, each from three records. */
export function tellableValues({ values }: Pick<FieldStats, "values">): (FieldValue & { text: string })[] | null {
  if (values === null || sumOf(Object.values(values)) < ENUM_AFTER) return null;
  const told = Object.values(values).filter((value): value is FieldValue & { text: string } => value.text !== undefined);
  return told.length === 0 ? null : told.sort((a, b) => (a.text < b.text ? -1 : 1));
}

export const requiredIn = (usual: number): boolean => (usual & ABSENT) === 0;
