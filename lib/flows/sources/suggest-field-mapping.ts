import { isStorableText } from "#lib/contracts/api/bounds";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { isObject } from "#lib/contracts/exact-json";
import { idText } from "#lib/contracts/exact-numbers";
import type { FieldMapping, FieldMappingSuggestions } from "#lib/contracts/sources/field-mapping";
import { MAPPABLE_FIELDS, type MappableField } from "#lib/contracts/sources/mappable-fields";
import type { ViewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { listPlacedIssues } from "#lib/flows/issues/root-causes";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import type { FactName } from "#lib/platform/field-names";
import { findReadings } from "#lib/sources/reading-store";
import { mapInPieces } from "#lib/time/waits";
import { requiredId } from "#lib/views/definitions";
import { findKnownIds, sampleIds } from "#lib/views/view-list-store";
import { getMappedSource, listFailingOf } from "./field-mapping.ts";

/** Likeliest candidates, whose values are compared with the IDs of records. */
const COMPARED = 10;
/** As many paths as a field takes. */
const MAX_SUGGESTED = 5;

/** Finds where failed events have the IDs that they lack; writes nothing. @param issues all if left out @throws AppError `not_found` */
export async function suggestFieldMapping(
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  issues: string[] | undefined,
  now: Date,
): Promise<FieldMappingSuggestions> {
  const source = await getMappedSource(workspaceId, sourceId);
  const lacking = (await listPlacedIssues(workspaceId)).filter(
    ({ id, code, source: of }) => code === "missing_id" && of.id === sourceId && (issues?.includes(id) ?? true),
  );
  const byKind = Map.groupBy(lacking, ({ type }) => requiredId(type)?.kind ?? null);
  const known = await sampleIds(workspaceId);
  const fields: FieldMappingSuggestions["fields"] = [];
  for (const [kind, of] of byKind) {
    const facts = requiredId(of[0]?.type ?? "")?.facts;
    if (kind === null || !facts) continue;
    const ids = of.map(({ id }) => id);
    const { events, total } = await listFailingOf(workspaceId, source, ids, now);
    const readings = await findReadings(pool(), [sourceId]);
    const payloads = await mapInPieces(events, (event) => idsByPath(planDelivery(event, readings).data));
    fields.push({ ...(await suggestionOf(workspaceId, kind, facts, payloads, known)), issues: ids, events: events.length, total });
  }
  fields.sort((a, b) => b.events - a.events);
  return {
    source: { id: source.id, name: source.name },
    issues: lacking.map(({ id }) => id),
    fields,
    mapping: withPaths(source.mapping, fields),
  };
}

type Suggestion = Omit<FieldMappingSuggestions["fields"][number], "issues" | "events" | "total">;

/** Takes the likeliest path, then the likeliest for what it does not cover. */
async function suggestionOf(
  workspaceId: WorkspaceId,
  kind: ViewKind,
  facts: readonly FactName[],
  payloads: Map<string, string>[],
  samples: Map<ViewKind, string[]>,
): Promise<Suggestion> {
  const field = facts[0] as FactName;
  const prefixes = new Map([...samples].map(([of, ids]) => [of, new Set(ids.flatMap((id) => prefixOf(id) ?? []))]));
  const paths: Candidate[] = [];
  let others: Candidate[] = [];
  let left = payloads;
  while (left.length > 0 && paths.length < MAX_SUGGESTED) {
    const likeliest = candidatesOf(left, { kind, ids: new Set(), prefixes }).slice(0, COMPARED);
    const among = new Set(likeliest.map(({ path }) => path));
    const values = left.flatMap((ids) => [...ids].flatMap(([path, value]) => (among.has(path) ? [value] : [])));
    const known: KnownIds = { kind, ids: await findKnownIds(workspaceId, kind, values), prefixes };
    const ranked = candidatesOf(left, known);
    const [best] = ranked;
    if (paths.length === 0) others = ranked.slice(0, MAX_SUGGESTED);
    if (!best || best.score < LIKELY) break;
    paths.push(best);
    left = left.filter((ids) => !ids.has(best.path));
  }
  const shown = ({ path, found, known, example }: Candidate) => ({ path, found, known, example: example.slice(0, 80).toWellFormed() });
  return {
    field,
    label: MAPPABLE_FIELDS[field],
    found: payloads.length - left.length,
    paths: paths.map(shown),
    others: others.filter(({ path }) => !paths.some((one) => one.path === path)).map(shown),
  };
}

/** Puts the suggested paths before those that the mapping has. */
function withPaths(mapping: FieldMapping, fields: FieldMappingSuggestions["fields"]): FieldMapping {
  const merged = { ...mapping };
  for (const { field, paths } of fields) {
    const all = [...paths.map(({ path }) => path), ...(mapping[field as MappableField] ?? [])];
    if (all.length > 0) merged[field as MappableField] = [...new Set(all)].slice(0, MAX_SUGGESTED);
  }
  return merged;
}

/** Limits of paths, of keys in each object, and of depth. */
const MAX_PATHS = 200;
const MAX_KEYS = 100;
const MAX_DEPTH = 6;
const MAX_ID = 400;
/** A longer path can't be set as a mapping. */
const MAX_PATH = 200;

type KnownIds = {
  /** The kind whose ID is looked for, such as `task`. */
  kind: string;
  /** IDs of records of that kind, among the values found. */
  ids: ReadonlySet<string>;
  /** By kind, such as `tsk_`. */
  prefixes: ReadonlyMap<string, ReadonlySet<string>>;
};

/** `found`: payloads with a value there; `known`: those with a record's ID. */
type Candidate = { path: string; found: number; known: number; example: string; score: number };

/** Returns texts and whole numbers by path, without lists: their places differ from event to event. */
export function idsByPath(payload: Record<string, unknown>): Map<string, string> {
  const found = new Map<string, string>();
  walk(payload, [], found);
  return found;
}

function walk(value: unknown, keys: string[], found: Map<string, string>): void {
  if (found.size >= MAX_PATHS) return;
  const id = idText(value);
  if (id !== undefined && keys.length > 0) {
    const path = keys.join(".");
    if (id.length <= MAX_ID && path.length <= MAX_PATH && isStorableText(id) && isStorableText(path)) found.set(path, id);
    return;
  }
  if (!isObject(value) || keys.length >= MAX_DEPTH) return;
  // A key with a dot can't be told from two keys.
  for (const [key, part] of Object.entries(value).slice(0, MAX_KEYS))
    if (key !== "" && key.trim() === key && !key.includes(".")) walk(part, [...keys, key], found);
}

/** A path with a lower score is no suggestion. */
export const LIKELY = 4;

/** Ranks the paths that may have the ID by their names, known IDs, known prefixes, and values that look like IDs at all. Pure. */
export function candidatesOf(ids: Map<string, string>[], known: KnownIds): Candidate[] {
  const values = new Map<string, string[]>();
  for (const each of ids)
    for (const [path, value] of each) {
      const all = values.get(path);
      if (all) all.push(value);
      else if (values.size < MAX_PATHS) values.set(path, [value]);
    }
  return [...values]
    .map(([path, all]) => candidateOf(path, all, ids.length, known))
    .sort((a, b) => b.score - a.score || b.found - a.found || (a.path < b.path ? -1 : 1));
}

function candidateOf(path: string, values: string[], payloads: number, known: KnownIds): Candidate {
  const isKnown = values.filter((value) => known.ids.has(value)).length;
  const evidence = nameScore(path, known) + valueScore(values, known) + (6 * isKnown) / values.length;
  const score = evidence * (0.5 + values.length / payloads / 2);
  return { path, found: values.length, known: isKnown, example: values[0] ?? "", score };
}

const ID_WORDS = new Set([
  "id",
  "ids",
  "ref",
  "reference",
  "key",
  "uid",
  "uuid",
  "guid",
  "handle",
  "identifier",
  "no",
  "number",
  "num",
  "nr",
]);

const NOUNS: Record<string, readonly string[]> = {
  document: ["document", "documents", "doc", "file", "attachment"],
  task: ["task", "tasks", "todo", "job"],
  pipeline: ["pipeline", "board"],
  automation: ["automation", "workflow", "flow"],
  run: ["run", "execution"],
  integration: ["integration", "connector", "connection"],
};
/** Their IDs are in many payloads, and no record's. */
const OTHERS = ["organization", "organisation", "org", "user", "assignee", "team", "account", "tenant", "workspace", "event", "customer"];

function nameScore(path: string, { kind }: KnownIds): number {
  const words = path
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const says = (nouns: readonly string[]) => words.some((word) => nouns.includes(word));
  const own = says(NOUNS[kind] ?? [kind]);
  const foreign = says(OTHERS) || Object.entries(NOUNS).some(([other, nouns]) => other !== kind && says(nouns));
  return (own ? 3 : foreign ? -4 : 0) + (words.some((word) => ID_WORDS.has(word)) ? 2 : 0);
}

/** `tsk_41`, `DOC-2026-0012`, a UUID: letters, digits and dashes, with a digit. */
const ID_LIKE = /^(?=.*\d)[A-Za-z0-9][\w:-]{2,}$/;
const TIME_LIKE = /^\d{4}-\d{2}-\d{2}([T ]|$)|^\d{9,13}$/;

function valueScore(values: string[], { kind, prefixes }: KnownIds): number {
  const share = (test: (value: string) => boolean) => values.filter(test).length / values.length;
  const own = prefixes.get(kind);
  const foreign = [...prefixes].filter(([other]) => other !== kind).map(([, those]) => those);
  const begins = (those: ReadonlySet<string>, value: string) => those.has(prefixOf(value) ?? "");
  const ours = own ? share((value) => begins(own, value)) : 0;
  const theirs = share((value) => !(own && begins(own, value)) && foreign.some((those) => begins(those, value)));
  const alike = values.length > 3 && new Set(values).size / values.length < 0.1 ? -2 : 0;
  return 4 * ours - 4 * theirs + share((value) => ID_LIKE.test(value)) - 5 * share((value) => TIME_LIKE.test(value)) + alike;
}

const prefixOf = (id: string): string | null => /^[A-Za-z]{1,12}[_:-]/.exec(id)?.[0] ?? null;
