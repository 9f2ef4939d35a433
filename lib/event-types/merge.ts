import { compareDecimals } from "#lib/contracts/exact-numbers";
import { ANY_KEY, ELEMENT, entryPath, splitPath } from "./paths.ts";
import {
  type Bounds,
  ENUM_RECORDS,
  type EventRef,
  type FieldPath,
  type FieldStats,
  type FieldValue,
  MAX_FIELDS,
  MAX_VALUES,
  type Occurrences,
  type SchemaTree,
} from "./schema.ts";

/** Adds up what was seen of an event type. Commutative and associative: any workers may have seen any part of it, in any order. What the
 * bounds leave out is decided by the order of the log, and not by that of arrival. */

export const compareRefs = (a: EventRef, b: EventRef): number => a[1] - b[1] || a[2] - b[2];
export const earlier = (a: EventRef, b: EventRef): EventRef => (compareRefs(a, b) <= 0 ? a : b);
export const later = (a: EventRef, b: EventRef): EventRef => (compareRefs(a, b) >= 0 ? a : b);

export const emptyTree = (): SchemaTree => ({ events: 0, walked: 0, sizes: {}, full: false, maps: [], fields: {} });

export function mergeTrees(a: SchemaTree, b: SchemaTree): SchemaTree {
  const fields: Record<FieldPath, FieldStats> = {};
  for (const path of new Set([...Object.keys(a.fields), ...Object.keys(b.fields)])) {
    const [one, other] = [a.fields[path], b.fields[path]];
    fields[path] = one && other ? mergeFields(one, other) : ((one ?? other) as FieldStats);
  }
  const sizes = { ...a.sizes };
  for (const [size, n] of Object.entries(b.sizes)) sizes[size] = (sizes[size] ?? 0) + n;
  const maps = [...new Set([...a.maps, ...b.maps])].sort();
  return bounded({ events: a.events + b.events, walked: a.walked + b.walked, sizes, full: a.full || b.full, maps, fields });
}

export function mergeFields(a: FieldStats, b: FieldStats): FieldStats {
  const digits = mergeBounds(a.digits, b.digits);
  const number = mergeNumbers(a, b);
  const prefixes = mergePrefixes(a.prefixes, b.prefixes);
  const [length, elements] = [mergeBounds(a.length, b.length), mergeBounds(a.elements, b.elements)];
  const objects = (a.objects ?? 0) + (b.objects ?? 0);
  return {
    n: a.n + b.n,
    ...(objects > 0 && { objects }),
    types: mergeCounted(a.types, b.types),
    formats: mergeCounted(a.formats, b.formats),
    ...(length && { length }),
    ...(elements && { elements }),
    ...(digits && { digits }),
    ...(number && { number }),
    ...(prefixes && { prefixes }),
    values: mergeValues(a.values, b.values),
    first: earlier(a.first, b.first),
    last: later(a.last, b.last),
  };
}

const mergeOccurrences = (a: Occurrences, b: Occurrences): Occurrences => ({
  n: a.n + b.n,
  first: earlier(a.first, b.first),
  last: later(a.last, b.last),
});

function mergeCounted<K extends string>(a: Partial<Record<K, Occurrences>>, b: Partial<Record<K, Occurrences>>) {
  const merged = { ...a };
  for (const key of Object.keys(b) as K[]) {
    const [one, other] = [a[key], b[key] as Occurrences];
    merged[key] = one ? mergeOccurrences(one, other) : other;
  }
  return merged;
}

export const mergeBounds = (a: Bounds | undefined, b: Bounds | undefined): Bounds | undefined =>
  a && b ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : (a ?? b);

/** From this many digits on, a number may be an account's or a phone's: then none of its field is kept. */
export const LONG_NUMBER = 6;

function mergeNumbers(a: FieldStats, b: FieldStats): FieldStats["number"] {
  const isLong = ({ digits }: FieldStats) => digits !== undefined && digits[1] >= LONG_NUMBER;
  const withheld = (stats: FieldStats) => stats.digits !== undefined && stats.number === undefined;
  if (isLong(a) || isLong(b) || withheld(a) || withheld(b)) return undefined;
  if (!a.number || !b.number) return a.number ?? b.number;
  return [lowest(a.number[0], b.number[0]), highest(a.number[1], b.number[1])];
}

/** Of two spellings of one number (`1.1`, `1.10`) the same is taken in any order. */
const inOrder = (a: string, b: string): number => compareDecimals(a, b) || a.length - b.length || (a < b ? -1 : 1);
export const lowest = (a: string, b: string): string => (inOrder(a, b) <= 0 ? a : b);
export const highest = (a: string, b: string): string => ((compareDecimals(a, b) || -inOrder(a, b)) >= 0 ? a : b);

const MAX_PREFIXES = 4;
/** Stands for more than four. */
export const MANY_PREFIXES = "*";

function mergePrefixes(a: string[] | undefined, b: string[] | undefined): string[] | undefined {
  if (!a || !b) return a ?? b;
  const all = [...new Set([...a, ...b])].sort();
  return all.length > MAX_PREFIXES || all.includes(MANY_PREFIXES) ? [MANY_PREFIXES] : all;
}

/** Stands for as many records as a value of an enumeration must have: which they are, says nothing more. */
export const MANY_RECORDS = "*";

export function joinRecords(a: readonly string[], b: readonly string[]): string[] {
  const all = new Set([...a, ...b]);
  return all.size >= ENUM_RECORDS || all.has(MANY_RECORDS) ? [MANY_RECORDS] : [...all].sort();
}

type Values = Record<string, FieldValue> | null;

function mergeValues(a: Values, b: Values): Values {
  if (a === null || b === null) return null;
  const merged: Record<string, FieldValue> = { ...a };
  for (const [hash, value] of Object.entries(b)) {
    const known = a[hash];
    const text = known?.text ?? value.text;
    merged[hash] = known
      ? { ...mergeOccurrences(known, value), records: joinRecords(known.records, value.records), ...(text !== undefined && { text }) }
      : value;
  }
  return Object.keys(merged).length > MAX_VALUES ? null : merged;
}

/** Keeps the 400 fields that appeared first. A field never appears before the one that holds it, so that none is kept without its parent. */
export function bounded(tree: SchemaTree): SchemaTree {
  const paths = Object.keys(tree.fields);
  if (paths.length <= MAX_FIELDS) return tree;
  const order = (a: FieldPath, b: FieldPath) =>
    compareRefs((tree.fields[a] as FieldStats).first, (tree.fields[b] as FieldStats).first) || a.length - b.length || (a < b ? -1 : 1);
  const kept = paths.sort(order).slice(0, MAX_FIELDS);
  return { ...tree, full: true, fields: Object.fromEntries(kept.map((path) => [path, tree.fields[path] as FieldStats])) };
}

/** How often the field's parent was there to hold it: for an element or an entry, as often as itself. */
export function seenOf(tree: SchemaTree, path: FieldPath): number {
  const stats = tree.fields[path];
  if (!stats) return 0;
  const split = splitPath(path);
  if (split === null) return tree.events;
  if (split.key === ELEMENT || split.key === ANY_KEY) return stats.n;
  return tree.fields[split.parent]?.objects ?? stats.n;
}

/** Paths of the fields below each, one level. */
export function childrenOf(tree: SchemaTree): Map<FieldPath, FieldPath[]> {
  const children = new Map<FieldPath, FieldPath[]>();
  for (const path of Object.keys(tree.fields)) {
    const split = splitPath(path);
    if (!split) continue;
    const siblings = children.get(split.parent);
    if (siblings) siblings.push(path);
    else children.set(split.parent, [path]);
  }
  return children;
}

/** A level of more keys may be a map. */
const FEW_KEYS = 30;
const FEW_OF_FULL = 3;
const MAX_KEYS = 200;
/** With fewer events nothing can be said of how often a new key comes. */
const MAP_AFTER = 100;
/** The chance that the next event brings a key never seen is about the share of keys seen once (Good-Turing). */
const NEW_KEYS = 1 / 20;

/** True where keys are data: far too many of them, or many and the next event would bring another. */
export function isMap(tree: SchemaTree, path: FieldPath, children: FieldPath[]): boolean {
  const keys = children.filter((child) => splitPath(child)?.key !== ELEMENT);
  if (keys.length > MAX_KEYS) return true;
  const objects = tree.fields[path]?.objects ?? 0;
  if (objects < MAP_AFTER) return false;
  const seenOnce = keys.filter((child) => tree.fields[child]?.n === 1).length;
  if (keys.length > FEW_KEYS && seenOnce / objects > NEW_KEYS) return true;
  // There is no room for the keys that would show it: those that there are came once each.
  return tree.full && keys.length > FEW_OF_FULL && seenOnce > keys.length / 2;
}

/** Folds the keys of each map into `*`; what is folded together may show another map below it. Returns an equal tree where there is none. */
export function foldMaps(tree: SchemaTree): SchemaTree {
  let folded = tree;
  for (const map of tree.maps) folded = foldMap(folded, map);
  for (;;) {
    const children = childrenOf(folded);
    const found = [...children].filter(([path, below]) => !folded.maps.includes(path) && isMap(folded, path, below)).map(([path]) => path);
    const [map] = found.sort((a, b) => a.length - b.length);
    if (map === undefined) return folded;
    folded = foldMap({ ...folded, full: false, maps: [...folded.maps, map].sort() }, map);
  }
}

function foldMap(tree: SchemaTree, map: FieldPath): SchemaTree {
  const [inside, entry] = [`${map}.`, entryPath(map)];
  const fields: Record<FieldPath, FieldStats> = {};
  for (const [path, stats] of Object.entries(tree.fields)) {
    const to = path.startsWith(inside) ? entry + restAfterKey(path, inside.length) : path;
    const known = fields[to];
    fields[to] = known ? mergeFields(known, stats) : stats;
  }
  return { ...tree, fields };
}

/** Returns what follows the key that begins at `start`. */
function restAfterKey(path: FieldPath, start: number): string {
  let at = start;
  if (path[at] === '"') {
    at += 1;
    while (path[at] !== '"') at += path[at] === "\\" ? 2 : 1;
    return path.slice(at + 1);
  }
  while (at < path.length && path[at] !== "." && path[at] !== "[") at += 1;
  return path.slice(at);
}
