import { createHash } from "node:crypto";
import { sourceId as toSourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { countWords } from "#lib/contracts/format-count";
import type { MovedField, RootCause } from "#lib/contracts/issues";
import { MAPPABLE_FIELDS } from "#lib/contracts/sources/mappable-fields";
import { pool } from "#lib/db/pool";
import { compareRefs } from "#lib/event-types/merge";
import { ROOT, type SchemaTree } from "#lib/event-types/schema";
import { findSchemas, schemaIdOf } from "#lib/event-types/schema-store";
import { listSourcesOf } from "#lib/events/log/event-lookup-store";
import { type FailingIssue, listFailingIssues } from "#lib/issues/issue-store";
import { FIELD_NAMES } from "#lib/platform/field-names";
import { explainFailure } from "#lib/processing/failures";
import { listSourceNames } from "#lib/sources/source-store";
import { requiredId } from "#lib/views/definitions";

/** Finds what open issues have in common: the code, the source, and when they began (docs/decisions/0012). */
export async function readCauses(workspaceId: WorkspaceId): Promise<RootCause[]> {
  const issues = await listPlacedIssues(workspaceId);
  const lacking = issues.filter(({ code }) => code === "missing_id").map(({ type, source }) => ({ type, sourceId: source.id }));
  return groupCauses(issues, await findMovedIds(workspaceId, lacking));
}

/** Lists the issues with failed events, each with the source of the newest. */
export async function listPlacedIssues(workspaceId: WorkspaceId): Promise<Placed[]> {
  const issues = await listFailingIssues(workspaceId);
  if (issues.length === 0) return [];
  const [sourceOf, names] = await Promise.all([listSourcesOf(pool(), issues), listSourceNames(workspaceId)]);
  return issues.flatMap((issue) => {
    const id = sourceOf.get(issue.seq) ?? "";
    const name = names.get(id);
    return name === undefined ? [] : [{ ...issue, source: { id, name } }];
  });
}

type Placed = FailingIssue & { source: { id: string; name: string } };
type Moved = Map<string, MovedField>;

/** An issue joins a cause whose failures ended no longer than this before its own began. */
const GAP_MS = 3_600_000;

/** Groups issues with one code and source whose failures overlap in time, the most failed events first. Single ones are left out. Pure. */
function groupCauses(issues: Placed[], moved: Moved): RootCause[] {
  const groups = Map.groupBy(issues, ({ code, source }) => `${code} ${source.id}`);
  return [...groups.values()]
    .flatMap(overlapping)
    .filter(({ length }) => length > 1)
    .map((group) => causeOf(group, moved))
    .sort((a, b) => b.failing - a.failing || (a.id < b.id ? -1 : 1));
}

function overlapping(issues: Placed[]): Placed[][] {
  const sorted = issues.toSorted((a, b) => a.beganAt.getTime() - b.beganAt.getTime());
  const groups: Placed[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const issue of sorted) {
    if (issue.beganAt.getTime() > end + GAP_MS) groups.push([]);
    groups.at(-1)?.push(issue);
    end = Math.max(end, issue.receivedAt.getTime());
  }
  return groups;
}

function causeOf(issues: Placed[], moved: Moved): RootCause {
  const [first] = issues as [Placed];
  const { code, source } = first;
  const types = new Set(issues.map(({ type }) => type)).size;
  const { why, fix } = explainFailure(code, "");
  const fields = fieldsOf(issues, moved);
  const ids = issues.map(({ id }) => id).sort();
  return {
    id: `cause_${createHash("sha256").update(ids.join(" ")).digest("hex").slice(0, 24)}`,
    code,
    source,
    title: `${countWords(types, "event type")} ${(WORDS[code] ?? FAILED)(types)}${movedSuffix(fields)}`,
    why,
    fix,
    failing: sum(issues),
    beganAt: first.beganAt.toISOString(),
    lastSeenAt: new Date(Math.max(...issues.map(({ lastSeenAt }) => lastSeenAt.getTime()))).toISOString(),
    fields,
    issues: issues
      .toSorted((a, b) => b.failing - a.failing || (a.id < b.id ? -1 : 1))
      .map((issue) => ({ id: issue.id, type: issue.type, what: explainFailure(code, issue.words).what, failing: issue.failing })),
  };
}

function movedSuffix(fields: RootCause["fields"]): string {
  const moved = fields.filter((field) => field.moved !== null).length;
  return moved === 0 ? "" : `: ${moved === 1 ? "a field seems" : "fields seem"} to have been renamed`;
}

const FAILED = () => "could not be applied";

/** Follows the number of event types in a cause's title. */
const WORDS: Record<string, (types: number) => string> = {
  missing_id: (types) => (types === 1 ? "has no ID" : "have no ID"),
  not_readable: () => "can't be read",
};

/** Returns the IDs that the types of a cause lack, those of the most failed events first. */
function fieldsOf(issues: Placed[], moved: Moved): RootCause["fields"] {
  const lacking = issues.flatMap((issue) => {
    const field = issue.code === "missing_id" ? requiredId(issue.type)?.facts[0] : undefined;
    return field ? [{ field, issue }] : [];
  });
  return [...Map.groupBy(lacking, ({ field }) => field)]
    .map(([field, each]) => ({
      field,
      label: MAPPABLE_FIELDS[field],
      issues: each.length,
      failing: sum(each.map(({ issue }) => issue)),
      moved: each.map(({ issue: { type, source } }) => moved.get(placeKey({ type, sourceId: source.id }))).find(Boolean) ?? null,
    }))
    .sort((a, b) => b.failing - a.failing);
}

const sum = (issues: Placed[]) => issues.reduce((all, { failing }) => all + failing, 0);

type Place = { type: string; sourceId: string };

/** Finds where the IDs of event types moved, as far as their learnt schemas know. @returns by what `placeKey` makes of a place */
export async function findMovedIds(workspaceId: WorkspaceId, places: Place[]): Promise<Map<string, MovedField>> {
  const ids = places.map(({ type, sourceId }) => schemaIdOf({ workspaceId, sourceId: toSourceId.parse(sourceId), type, variant: "" }));
  const schemas = ids.length === 0 ? [] : await findSchemas([...new Set(ids)], pool());
  return new Map(
    schemas.flatMap(({ type, sourceId, tree }) => {
      const moved = movedIn(tree, (requiredId(type)?.facts ?? []).flatMap(pathsOf));
      return moved ? [[placeKey({ type, sourceId }), moved] as const] : [];
    }),
  );
}

export const placeKey = ({ type, sourceId }: Place): string => `${sourceId} ${type}`;

const pathsOf = (fact: keyof typeof FIELD_NAMES) => FIELD_NAMES[fact].map((name) => `${ROOT}.${name}`);

/** Part of the events without the old field that have the new one. */
const MOST = 0.9;
const MAX_NAMED = 3;

/** Finds the last of the paths that is no longer sent, and the texts and numbers that came in its place. Pure. */
export function movedIn({ fields }: SchemaTree, paths: readonly string[]): MovedField | null {
  const [old] = paths.flatMap((path) => (fields[path] ? [{ path, ...fields[path] }] : [])).sort((a, b) => compareRefs(b.last, a.last));
  const root = fields[ROOT];
  if (!old || !root) return null;
  const without = (root.objects ?? root.n) - old.n;
  const to = Object.entries(fields).flatMap(([path, { n, types, first }]) =>
    (types.string || types.number) && !/[[*]/.test(path) && compareRefs(first, old.last) > 0 && n >= without * MOST ? [path] : [],
  );
  return to.length === 0 ? null : { from: old.path, to: to.slice(0, MAX_NAMED) };
}
