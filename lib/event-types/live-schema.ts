import { createHash } from "node:crypto";
import { FIELD_FORMATS, JSON_TYPES } from "#lib/contracts/event-types";
import { isDataKey } from "./formats.ts";
import {
  ARRAY,
  formatBitAt,
  LiveField,
  NUMBER,
  OBJECT,
  type PinnedField,
  requiredIn,
  STRING,
  Tally,
  typeAt,
  typeBitAt,
} from "./live-field.ts";
import { emptyTree } from "./merge.ts";
import { ABSENT, type Deviation, formatClass, noteDeviation, type Outcome } from "./outcomes.ts";
import { partsOfPath } from "./paths.ts";
import { type EventRef, type FieldPath, MAX_DEPTH, MAX_ELEMENTS, MAX_FIELDS, MAX_KEYS, ROOT, type SchemaTree } from "./schema.ts";

/** An event that teaches. */
export type Lesson = {
  ref: EventRef;
  bytes: number;
  /** Kind and ID of the record that it is about; without one, the event stands for itself. */
  record: { kind: string; id: string } | null;
  data: Record<string, unknown>;
};

/** What a worker saw of a schema since it last handed it on. */
export type Delta = { tree: SchemaTree; deviations: Record<FieldPath, Partial<Record<Outcome, Deviation>>> };

/** What is stored of a schema, as far as a worker has to know it. */
export type KnownSchema = {
  tree: SchemaTree;
  /** Outcomes that are no surprise, by path. */
  usual: Record<FieldPath, number>;
  /** What a pin allows, instead of what is usual. */
  pin: Record<FieldPath, PinnedField> | null;
  /** Hashes of values that came to a closed enumeration, by path. */
  unaccepted: Record<FieldPath, readonly string[]>;
  /** Events whose size is out of the ordinary: the others say what is usual. */
  oversized: number;
  /** Paths that people set: never an enumeration; drift of them is ignored. */
  notEnumeration: readonly FieldPath[];
  ignored: readonly FieldPath[];
};

/** A schema as one worker sees it: it walks payloads along a trie of known keys and counts. Costs less than parsing the same text. */
export class LiveSchema {
  private readonly id: string;
  private readonly root = new LiveField(ROOT, 0, ROOT);
  private readonly ignored = new Set<FieldPath>();
  private fields = 1;
  private full = false;
  private walked = 0;
  private looked = 0;
  private knownEvents = 0;
  private sizes = new Map<number, number>();
  /** Those that were looked at since the last adoption. */
  private shapes: Shape[] = [];
  private maps = new Set<FieldPath>();
  private sizeLimit = Number.POSITIVE_INFINITY;
  // The event in hand.
  private ref: EventRef = ["", 0, 0];
  private lesson: Lesson | undefined;
  private record: string | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Events, known and new. */
  get total(): number {
    return this.knownEvents + this.walked + this.looked;
  }

  get isEmpty(): boolean {
    return this.walked + this.looked === 0;
  }

  get size(): number {
    return this.fields;
  }

  /** Reads all fields of an event. */
  teach(lesson: Lesson): void {
    for (const shape of this.shapes) shape.settle(this.root);
    this.begin(lesson);
    this.visit(this.root, lesson.data);
    this.walked += 1;
  }

  /** Looks at the keys and types of two levels, and counts those. Returns false, and counts nothing, if the shape is new: then all is read. */
  look(lesson: Lesson): boolean {
    const { data } = lesson;
    let shape = this.shapes.find((each) => each.fits(data));
    if (!shape) {
      if (!this.isKnown(this.root, data, 2)) return false;
      if (this.shapes.length >= MAX_SHAPES) this.settleShapes();
      shape = new Shape(this.root, data);
      this.shapes.push(shape);
    }
    this.begin(lesson);
    shape.tally.add(this.ref);
    this.looked += 1;
    return true;
  }

  private settleShapes(): void {
    for (const shape of this.shapes) shape.settle(this.root);
    this.shapes = [];
  }

  private begin(lesson: Lesson): void {
    this.lesson = lesson;
    this.ref = lesson.ref;
    this.record = undefined;
    const size = Math.floor(8 * Math.log2(Math.max(1, lesson.bytes)));
    this.sizes.set(size, (this.sizes.get(size) ?? 0) + 1);
    if (lesson.bytes > this.sizeLimit) this.note(this.root, "size", this.walked + this.looked);
  }

  private isKnown(field: LiveField, value: Record<string, unknown>, levels: number): boolean {
    if (field.isMap) return true;
    let met = 0;
    for (const key of Object.keys(value)) {
      const child = field.children.get(key);
      // Where there is no room for more fields, a new one is no news.
      if (!child && this.full) continue;
      const part = value[key];
      const type = typeAt(part);
      if (!child || (child.usual & typeBitAt(type)) === 0) return false;
      if (type === OBJECT && levels > 1 && !this.isKnown(child, part as Record<string, unknown>, levels - 1)) return false;
      if (child.isRequired) met += 1;
    }
    return met === field.required;
  }

  private visit(field: LiveField, value: unknown): void {
    const at = field.n;
    const type = typeAt(value);
    const before = field.total;
    this.check(field, typeBitAt(type), before, at, TYPE_OUTCOMES[type] as Outcome);
    if (type === STRING) this.visitText(field, value as string, before, at);
    else if (type === NUMBER) this.checkFormat(field, NUMBER, field.readNumber(value, this.ref), before, at);
    else field.countType(type, this.ref);
    if (type === OBJECT) this.visitObject(field, value as Record<string, unknown>);
    else if (type === ARRAY) this.visitList(field, value as unknown[]);
  }

  private visitText(field: LiveField, text: string, before: number, at: number): void {
    this.checkFormat(field, STRING, field.readText(text, this.ref, this.hashOf, this.recordHash), before, at);
    if (field.isNewValue(text)) this.note(field, "value", at);
  }

  /** A value of another type is noted as that, and not by its format too. */
  private checkFormat(field: LiveField, type: number, format: number, before: number, at: number): void {
    if ((field.usual & typeBitAt(type)) !== 0) this.check(field, formatBitAt(format), before, at, FORMAT_OUTCOMES[format] as Outcome);
  }

  private visitObject(field: LiveField, value: Record<string, unknown>): void {
    if (field.depth >= MAX_DEPTH) return;
    const before = field.totalObjects;
    const at = field.objects;
    field.objects += 1;
    let met = 0;
    for (const key of Object.keys(value)) {
      const child = this.childOf(field, key, before);
      if (!child) continue;
      if (child.isRequired) met += 1;
      this.visit(child, value[key]);
    }
    if (met < field.required) this.noteAbsent(field, value, before, at);
  }

  private noteAbsent(field: LiveField, value: Record<string, unknown>, before: number, at: number): void {
    for (const [key, child] of field.children) {
      if (!child.isRequired || Object.hasOwn(value, key)) continue;
      if (before >= child.settledAfter) this.note(child, "absent", at);
      else {
        child.usual |= ABSENT;
        child.setRequired(field, false);
      }
    }
  }

  private childOf(field: LiveField, key: string, before: number): LiveField | undefined {
    if (!field.isMap) {
      const known = field.children.get(key);
      if (known) return known;
    }
    if (field.isMap || isDataKey(key)) return field.entry ?? this.addField(() => field.newEntry());
    if (field.children.size >= MAX_KEYS) {
      field.isMap = true;
      this.maps.add(field.path);
      return field.entry ?? this.addField(() => field.newEntry());
    }
    return this.addField(() => {
      const child = field.newChild(key);
      // Absent until now, unless its parent is new too.
      if (before > 0) child.usual |= ABSENT;
      else child.setRequired(field, true);
      return child;
    });
  }

  private addField(make: () => LiveField): LiveField | undefined {
    if (this.fields >= MAX_FIELDS) {
      this.full = true;
      return undefined;
    }
    this.fields += 1;
    return make();
  }

  private visitList(field: LiveField, list: unknown[]): void {
    field.readLength(list.length);
    if (field.depth >= MAX_DEPTH || list.length === 0) return;
    const element = field.element ?? this.addField(() => field.newElement());
    if (!element) return;
    for (let at = 0; at < list.length && at < MAX_ELEMENTS; at += 1) this.visit(element, list[at]);
  }

  /** An outcome that was never seen is usual while the field is young; later it is noted. */
  private check(field: LiveField, bit: number, before: number, at: number, outcome: Outcome): void {
    if ((field.usual & bit) !== 0) return;
    if (before < field.settledAfter) field.usual |= bit;
    else this.note(field, outcome, at);
  }

  private note(field: LiveField, outcome: Outcome, at: number): void {
    if (this.ignored.size > 0 && this.ignored.has(field.path)) return;
    noteDeviation(field.deviation(outcome), at, this.unit);
  }

  private readonly unit = () => {
    const kind = this.lesson?.record?.kind ?? "";
    return { record: this.recordHash(), minute: `${Math.floor(this.ref[1] / 60_000)} ${kind}`, event: this.ref };
  };

  private readonly recordHash = (): string => {
    if (this.record === undefined) {
      const record = this.lesson?.record;
      this.record = shortHash(record ? `${record.kind}:${record.id}` : `event:${this.ref[0]}`);
    }
    return this.record;
  };

  private readonly hashOf = (text: string): string =>
    createHash("sha256").update(`${this.id} `).update(text).digest("base64url").slice(0, VALUE_HASH);

  /** Takes over what is stored. What was counted since it was last handed on stays. */
  adopt(known: KnownSchema): void {
    this.settleShapes();
    this.knownEvents = known.tree.events;
    this.sizeLimit = sizeLimitOf(known.tree, known.oversized);
    this.ignored.clear();
    for (const path of known.ignored) this.ignored.add(path);
    for (const path of Object.keys(known.tree.fields)) this.fieldAt(path);
    for (const path of Object.keys(known.pin ?? {})) this.fieldAt(path);
    this.adoptBelow(this.root, known);
    const maps = new Set(known.tree.maps);
    for (const path of maps) {
      const field = this.fieldAt(path);
      if (field) field.isMap = true;
    }
    for (const path of known.notEnumeration) {
      const field = this.fieldAt(path);
      if (field) field.withheld = true;
    }
  }

  private adoptBelow(field: LiveField, known: KnownSchema): void {
    const { path } = field;
    field.adopt({ stats: known.tree.fields[path], usual: known.usual[path], pin: known.pin?.[path], unaccepted: known.unaccepted[path] });
    for (const child of field.children.values()) {
      this.adoptBelow(child, known);
      child.setRequired(field, requiredIn(child.usual) && !field.isMap);
    }
    if (field.element) this.adoptBelow(field.element, known);
    if (field.entry) this.adoptBelow(field.entry, known);
  }

  /** Finds a field, or makes it with those that hold it. */
  private fieldAt(path: FieldPath): LiveField | undefined {
    let field: LiveField | undefined = this.root;
    for (const part of partsOfPath(path) ?? []) {
      const parent: LiveField = field as LiveField;
      if (part.kind === "element") field = parent.element ?? this.addField(() => parent.newElement());
      else if (part.kind === "entry") field = parent.entry ?? this.addField(() => parent.newEntry());
      else field = parent.children.get(part.key) ?? this.addField(() => parent.newChild(part.key));
      if (!field) return undefined;
    }
    return field;
  }

  /** Returns what was counted since, and starts at zero. */
  take(): Delta {
    this.settleShapes();
    const tree = emptyTree();
    const deviations: Delta["deviations"] = {};
    tree.events = this.walked + this.looked;
    tree.walked = this.walked;
    tree.sizes = Object.fromEntries(this.sizes);
    tree.full = this.full;
    tree.maps = [...this.maps].sort();
    this.collect(this.root, tree, deviations);
    this.knownEvents += tree.events;
    this.walked = 0;
    this.looked = 0;
    this.sizes = new Map();
    this.full = this.fields >= MAX_FIELDS;
    return { tree, deviations };
  }

  private collect(field: LiveField, tree: SchemaTree, deviations: Delta["deviations"]): void {
    if (field.deviations.size > 0) deviations[field.path] = Object.fromEntries(field.deviations);
    const stats = field.take();
    field.deviations.clear();
    if (stats) tree.fields[field.path] = stats;
    for (const child of field.children.values()) this.collect(child, tree, deviations);
    if (field.isMap && field.children.size > 0) this.forgetChildren(field);
    if (field.element) this.collect(field.element, tree, deviations);
    if (field.entry) this.collect(field.entry, tree, deviations);
  }

  /** Keys of a map have been handed on: from now on all are one entry. */
  private forgetChildren(field: LiveField): void {
    const count = (of: LiveField): number =>
      1 + [...of.children.values(), of.element, of.entry].reduce((sum, each) => sum + (each ? count(each) : 0), 0);
    for (const child of field.children.values()) this.fields -= count(child);
    field.children.clear();
    field.required = 0;
  }
}

const VALUE_HASH = 16;

/** Beyond so many the fields are counted, and shapes begin anew. */
const MAX_SHAPES = 8;

const TYPE_OUTCOMES: readonly Outcome[] = JSON_TYPES;
const FORMAT_OUTCOMES: readonly Outcome[] = FIELD_FORMATS.map(formatClass);

/** Bodies of this many events are compared with. */
const SIZE_AFTER = 500;
const TIMES_LARGER = 4;

/** Returns four times the 99th percentile of the bodies' lengths, the longest of all left out; infinite while too few are known. */
export function sizeLimitOf({ events, sizes }: SchemaTree, leftOut: number): number {
  if (events < SIZE_AFTER) return Number.POSITIVE_INFINITY;
  let left = (events - leftOut) * 0.01 + leftOut;
  const classes = Object.keys(sizes)
    .map(Number)
    .sort((a, b) => b - a);
  for (const size of classes) {
    left -= sizes[size] ?? 0;
    if (left < 0) return TIMES_LARGER * 2 ** ((size + 1) / 8);
  }
  return Number.POSITIVE_INFINITY;
}

/** A hash of 53 bits, not to be kept secret: it tells records apart. */
function shortHash(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** Keys and types of two levels of payloads, and which events had them: most events of a type have one of few shapes. Counted by the
 * shape, and for its fields only now and then. */
export class Shape {
  readonly tally = new Tally();
  /** Null for a map: its keys are data. */
  private readonly keys: readonly string[] | null;
  private readonly types: number[] = [];
  private readonly below: (Shape | undefined)[] = [];

  constructor(field: LiveField, value: Record<string, unknown>, levels = 2) {
    this.keys = field.isMap ? null : Object.keys(value);
    for (const [at, key] of (this.keys ?? []).entries()) {
      const [part, child] = [value[key], field.children.get(key)];
      const type = typeAt(part);
      this.types.push(type);
      if (type === OBJECT && levels > 1 && child) this.below[at] = new Shape(child, part as Record<string, unknown>, levels - 1);
    }
  }

  /** Compares without making anything: it is done for every event. */
  fits(value: Record<string, unknown>): boolean {
    if (this.keys === null) return true;
    let at = 0;
    for (const key in value) {
      const part = value[key];
      if (key !== this.keys[at] || typeAt(part) !== this.types[at]) return false;
      if (this.below[at]?.fits(part as Record<string, unknown>) === false) return false;
      at += 1;
    }
    return at === this.keys.length;
  }

  /** Adds its events to the fields that it has, and starts at zero. */
  settle(root: LiveField): void {
    if (this.tally.n === 0) return;
    this.countIn(root, this.tally);
    this.tally.reset();
  }

  private countIn(field: LiveField, tally: Tally): void {
    field.countSight(OBJECT, tally);
    if (field.isMap || this.keys === null) return;
    field.objects += tally.n;
    for (const [at, key] of this.keys.entries()) {
      const child = field.children.get(key);
      if (!child) continue;
      const below = this.below[at];
      if (below) below.countIn(child, tally);
      else child.countSight(this.types[at] as number, tally);
    }
  }
}
