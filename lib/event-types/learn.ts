import type { DriftKind, DriftSeverity } from "#lib/contracts/event-types";
import {
  AGED_AFTER,
  chanceOf,
  isImplausibleShare,
  RECOVERED_AFTER,
  RULE_AFTER,
  rowNeeded,
  SIZE_ROW,
  VALUE_ROW,
  VARIETY_AFTER,
  WINDOW,
} from "./drift-rules.ts";
import { SETTLED_AFTER, tellableValues } from "./live-field.ts";
import type { Delta } from "./live-schema.ts";
import { foldMaps, mergeTrees } from "./merge.ts";
import { ABSENT, bitOf, bitsOf, bitsWith, type Deviation, isTypeOutcome, joinDeviations, type Outcome, type Unit } from "./outcomes.ts";
import { ANY_KEY, ELEMENT, splitPath } from "./paths.ts";
import { type EventRef, type FieldPath, type FieldStats, ROOT, type SchemaTree } from "./schema.ts";

/** A deviation that is watched: it comes to nothing, or it is a drift. */
export type Watched = Deviation & {
  /** Exceptions of earlier that came to nothing. */
  aged: number;
  /** Of values: their hashes. */
  hashes?: string[];
  /** The open drift's ID. */
  drift?: string;
};

/** What is usual, by path, and what is out of the ordinary. Kept with the schema, but no part of it. */
export type Watch = { usual: Record<FieldPath, number>; deviations: Record<FieldPath, Partial<Record<Outcome, Watched>>> };

export const emptyWatch = (): Watch => ({ usual: {}, deviations: {} });

export type Learnt = { tree: SchemaTree; watch: Watch; news: News[]; found: Found[]; recovered: string[] };

/** Something seen for the first time. */
export type News = {
  kind: "field_appeared" | "type_appeared" | "format_appeared" | "value_appeared" | "became_map";
  path: FieldPath;
  detail: string | null;
  event: EventRef | null;
};

export type Found = {
  id: string;
  kind: Exclude<DriftKind, "volume">;
  severity: DriftSeverity;
  path: FieldPath;
  outcome: Outcome;
  units: Unit[];
  lastGood: EventRef | null;
};

type Stored = { tree: SchemaTree; watch: Watch };
type Options = {
  /** Paths whose drift people ignore. */
  ignored?: readonly FieldPath[];
  /** Paths that a pin says something of: there the first exception is one. */
  pinned?: ReadonlySet<FieldPath>;
  newId: () => string;
};

/** Adds what a worker saw to what is stored, and tells what is new in it. Pure. */
export function learn({ tree: before, watch }: Stored, { tree: seen, deviations }: Delta, options: Options): Learnt {
  const tree = foldMaps(mergeTrees(before, seen));
  const usual = usualAfter(before, tree, watch, deviations);
  const joined = joinAll(before, tree, seen, { usual, deviations: watch.deviations }, deviations, options);
  const learnt: Learnt = {
    tree,
    watch: { usual, deviations: {} },
    news: before.events === 0 ? [] : newsOf(before, tree),
    found: [],
    recovered: [],
  };
  const newest = tree.fields[ROOT]?.last[1] ?? 0;
  for (const [path, outcomes] of Object.entries(joined))
    for (const [outcome, watched] of Object.entries(outcomes) as [Outcome, Watched][]) {
      const kept = judge(path, outcome, watched, { before, tree, newest, learnt, options });
      if (!kept) continue;
      const ofPath = learnt.watch.deviations[path] ?? {};
      learnt.watch.deviations[path] = ofPath;
      ofPath[outcome] = kept;
    }
  return learnt;
}

/** How often a path was observed so far, by what the ordinals of an outcome count. */
function observed(tree: SchemaTree, path: FieldPath, outcome: Outcome): number {
  if (outcome === "size") return tree.events;
  if (outcome !== "absent") return tree.fields[path]?.n ?? 0;
  const parent = splitPath(path)?.parent;
  return parent === undefined ? 0 : (tree.fields[parent]?.objects ?? 0);
}

/** While a field is young, what it shows is usual, but for what the worker noted as an exception: its own view was older. */
function usualAfter(before: SchemaTree, tree: SchemaTree, watch: Watch, deviations: Delta["deviations"]): Watch["usual"] {
  const usual: Watch["usual"] = {};
  for (const [path, stats] of Object.entries(tree.fields)) {
    const known = watch.usual[path];
    const noted = Object.keys(deviations[path] ?? {}).reduce((bits, outcome) => bits | bitOf(outcome as Outcome), 0);
    let bits = known ?? 0;
    if ((before.fields[path]?.n ?? 0) < SETTLED_AFTER) bits |= bitsOf(stats) & ~noted;
    if (isAbsentUsual(before, tree, path, known) && (noted & ABSENT) === 0) bits |= ABSENT;
    usual[path] = bits;
  }
  return usual;
}

function isAbsentUsual(before: SchemaTree, tree: SchemaTree, path: FieldPath, known: number | undefined): boolean {
  const split = splitPath(path);
  if (split === null || split.key === ELEMENT || split.key === ANY_KEY) return true;
  const parentBefore = before.fields[split.parent]?.objects ?? 0;
  const absent = (tree.fields[split.parent]?.objects ?? 0) - (tree.fields[path]?.n ?? 0);
  // A field that appears late was absent until then.
  if (known === undefined) return absent > 0;
  return parentBefore < SETTLED_AFTER && absent > 0;
}

function joinAll(
  before: SchemaTree,
  tree: SchemaTree,
  seen: SchemaTree,
  watch: Watch,
  deviations: Delta["deviations"],
  { pinned, ignored = [] }: Options,
): Watch["deviations"] {
  const joined: Watch["deviations"] = {};
  const put = (path: FieldPath, outcome: Outcome, watched: Watched) => {
    const ofPath = joined[path] ?? {};
    joined[path] = ofPath;
    ofPath[outcome] = watched;
  };
  for (const [path, outcomes] of Object.entries(watch.deviations))
    if (tree.fields[path] || pinned?.has(path))
      for (const [outcome, watched] of Object.entries(outcomes)) put(path, outcome as Outcome, watched);
  for (const [path, outcomes] of Object.entries(deviations)) {
    if (!(tree.fields[path] || pinned?.has(path)) || ignored.includes(path)) continue;
    for (const [outcome, deviation] of Object.entries(outcomes) as [Outcome, Deviation][]) {
      if (!pinned?.has(path) && ((watch.usual[path] ?? 0) & bitOf(outcome)) !== 0) continue;
      const known = joined[path]?.[outcome];
      const hashes = outcome === "value" ? newHashes(before.fields[path], seen.fields[path], known?.hashes) : undefined;
      put(path, outcome, {
        ...joinDeviations(known, deviation, observed(before, path, outcome)),
        aged: known?.aged ?? 0,
        ...(hashes && { hashes }),
        ...(known?.drift !== undefined && { drift: known.drift }),
      });
    }
  }
  return joined;
}

const newHashes = (before: FieldStats | undefined, seen: FieldStats | undefined, known: string[] = []): string[] => [
  ...new Set([...known, ...Object.keys(seen?.values ?? {}).filter((hash) => !Object.hasOwn(before?.values ?? {}, hash))]),
];

/** Exceptions of the last two hours may still add up where many events come in a minute, of which one counts. */
const AGED_MS = 7_200_000;

type Case = { before: SchemaTree; tree: SchemaTree; newest: number; learnt: Learnt; options: Options };

/** Returns what is still to be watched; null when it came to nothing. */
function judge(path: FieldPath, outcome: Outcome, watched: Watched, { before, tree, newest, learnt, options }: Case): Watched | null {
  const total = observed(tree, path, outcome);
  const isPinned = options.pinned?.has(path) === true;
  const last = watched.runs.at(-1)?.[1] ?? 0;
  if (watched.drift !== undefined) {
    if (total - 1 - last < RECOVERED_AFTER) return watched;
    learnt.recovered.push(watched.drift);
    return null;
  }
  const kind = driftOf(outcome, watched, total, isPinned);
  if (kind && !options.ignored?.includes(path)) {
    const id = options.newId();
    const severity = severityOf(kind, isPinned);
    learnt.found.push({
      id,
      kind,
      severity,
      path,
      outcome,
      units: watched.units,
      lastGood: lastGoodOf(before, tree, path, outcome, watched),
    });
    return { ...watched, drift: id };
  }
  const units = watched.units.filter(({ at, event }) => at >= total - AGED_AFTER || newest - event[1] < AGED_MS);
  const aged = watched.aged + watched.units.length - units.length;
  if (aged >= VARIETY_AFTER) {
    learnt.watch.usual[path] = (learnt.watch.usual[path] ?? 0) | bitsWith(outcome, tree.fields[path]);
    return null;
  }
  return units.length === 0 && aged === 0 ? null : { ...watched, units, aged };
}

function driftOf(outcome: Outcome, { units, runs, aged }: Watched, total: number, isPinned: boolean): Found["kind"] | null {
  if (units.length === 0) return null;
  const row = Math.max(...runs.map(([first, last]) => units.filter(({ at }) => at >= first && at <= last).length));
  if (outcome === "size") return row >= SIZE_ROW ? "size" : null;
  if (outcome === "value") return units.length >= (isPinned ? 1 : VALUE_ROW) ? "value" : null;
  const whole = kindOf(outcome);
  if (isPinned) return whole;
  const before = units[0]?.at ?? 0;
  if (before < RULE_AFTER) return null;
  const chance = chanceOf(before, aged);
  if (row >= rowNeeded(chance)) return whole;
  const inPart = units.some(({ at }, index) => isImplausibleShare(units.length - index, Math.max(WINDOW, total - at), chance));
  return inPart ? (whole === "vanished" ? "optional" : whole) : null;
}

const kindOf = (outcome: Outcome): Found["kind"] =>
  outcome === "absent" ? "vanished" : outcome === "null" ? "null" : isTypeOutcome(outcome) ? "type" : "format";

const BREAKING: ReadonlySet<Found["kind"]> = new Set(["vanished", "type", "null"]);
const severityOf = (kind: Found["kind"], isPinned: boolean): DriftSeverity =>
  BREAKING.has(kind) || (isPinned && kind === "value") ? "breaking" : "warning";

/** Returns the last event of the old shape that is before the first of the new one, as far as it is known. */
function lastGoodOf(before: SchemaTree, tree: SchemaTree, path: FieldPath, outcome: Outcome, { units }: Watched): EventRef | null {
  const first = units[0]?.event;
  const usualOf = (stats: FieldStats | undefined): (EventRef | undefined)[] => {
    if (!stats) return [];
    if (!isTypeOutcome(outcome)) return [stats.last];
    return Object.entries(stats.types)
      .filter(([type]) => type !== outcome)
      .map(([, { last }]) => last);
  };
  const candidates = [...usualOf(tree.fields[path]), ...usualOf(before.fields[path]), before.fields[ROOT]?.last];
  const good = candidates.filter((ref) => ref !== undefined && (!first || ref[1] < first[1] || (ref[1] === first[1] && ref[2] < first[2])));
  return (good.sort((a, b) => (b?.[1] ?? 0) - (a?.[1] ?? 0) || (b?.[2] ?? 0) - (a?.[2] ?? 0))[0] as EventRef | undefined) ?? null;
}

const MAX_NEWS = 50;
/** A value that is told after others, and that a larger part of the events has, was only counted later. */
const RARE = 20;

function newsOf(before: SchemaTree, tree: SchemaTree): News[] {
  const news: News[] = tree.maps
    .filter((path) => !before.maps.includes(path))
    .map((path) => ({ kind: "became_map", path, detail: null, event: null }));
  for (const [path, stats] of Object.entries(tree.fields)) {
    const known = before.fields[path];
    if (!known) news.push({ kind: "field_appeared", path, detail: Object.keys(stats.types).sort().join(" or "), event: stats.first });
    else news.push(...newsOfField(path, known, stats));
  }
  return news.slice(0, MAX_NEWS);
}

function newsOfField(path: FieldPath, known: FieldStats, stats: FieldStats): News[] {
  const news: News[] = [];
  for (const [type, { first }] of Object.entries(stats.types))
    if (!Object.hasOwn(known.types, type)) news.push({ kind: "type_appeared", path, detail: type, event: first });
  for (const [format, { first }] of Object.entries(stats.formats))
    if (!Object.hasOwn(known.formats, format)) news.push({ kind: "format_appeared", path, detail: format, event: first });
  const told = tellableValues(known);
  // The first values of an enumeration are no news.
  if (told === null) return news;
  const rare = (stats.types.string?.n ?? 0) / RARE;
  for (const { text, first, n } of tellableValues(stats) ?? [])
    if (n <= rare && !told.some((value) => value.text === text)) news.push({ kind: "value_appeared", path, detail: text, event: first });
  return news;
}
