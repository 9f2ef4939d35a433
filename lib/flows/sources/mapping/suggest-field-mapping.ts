import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { FieldMapping, FieldMappingSuggestions, MappableField } from "#lib/contracts/sources/field-mapping";
import { MAPPABLE_FIELDS } from "#lib/contracts/sources/field-mapping";
import type { ViewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { listPlacedIssues } from "#lib/flows/issues/read-causes";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import type { FactName } from "#lib/platform/field-names";
import { findReadings } from "#lib/sources/reading-store";
import { mapInPieces } from "#lib/time/pauses";
import { requiredId } from "#lib/views/definition/required-id";
import { findKnownIds, sampleIds } from "#lib/views/known-id-store";
import { listFailingOf } from "./failing-events.ts";
import { type Candidate, candidatesOf, idsByPath, type KnownIds, LIKELY, prefixOf } from "./path-candidates.ts";
import { findSource } from "./read-field-mapping.ts";

const LOOKED_AT = 500;
/** Likeliest candidates, whose values are compared with the IDs of records. */
const COMPARED = 10;
/** As many paths as a field takes. */
const MAX_PATHS = 5;

/** Finds where failed events have the IDs that they lack; writes nothing. @param issues all if left out @throws AppError `not_found` */
export async function suggestFieldMapping(
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  issues: string[] | undefined,
  now: Date,
): Promise<FieldMappingSuggestions> {
  const source = await findSource(workspaceId, sourceId);
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
    const events = await listFailingOf(workspaceId, source, ids, { limit: LOOKED_AT, now });
    const readings = await findReadings(pool(), [sourceId]);
    const payloads = await mapInPieces(events, (event) => idsByPath(planDelivery(event, readings).data));
    fields.push({ ...(await suggestionOf(workspaceId, kind, facts, payloads, known)), issues: ids, events: events.length });
  }
  fields.sort((a, b) => b.events - a.events);
  return {
    source: { id: source.id, name: source.name },
    issues: lacking.map(({ id }) => id),
    fields,
    mapping: withPaths(source.mapping, fields),
  };
}

type Suggestion = Omit<FieldMappingSuggestions["fields"][number], "issues" | "events">;

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
  while (left.length > 0 && paths.length < MAX_PATHS) {
    const likeliest = candidatesOf(left, { kind, ids: new Set(), prefixes }).slice(0, COMPARED);
    const among = new Set(likeliest.map(({ path }) => path));
    const values = left.flatMap((ids) => [...ids].flatMap(([path, value]) => (among.has(path) ? [value] : [])));
    const known: KnownIds = { kind, ids: await findKnownIds(workspaceId, kind, values), prefixes };
    const ranked = candidatesOf(left, known);
    const [best] = ranked;
    if (paths.length === 0) others = ranked.slice(0, MAX_PATHS);
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
    if (all.length > 0) merged[field as MappableField] = [...new Set(all)].slice(0, MAX_PATHS);
  }
  return merged;
}
