import { createHash } from "node:crypto";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { countWords } from "#lib/contracts/format-count";
import type { MovedField, RootCause } from "#lib/contracts/issues";
import { MAPPABLE_FIELDS } from "#lib/contracts/sources/mappable-fields";
import { pool } from "#lib/db/pool";
import { listSourcesOf } from "#lib/events/log/event-lookup-store";
import { type FailingIssue, listFailingIssues } from "#lib/issues/issue-store";
import { explainFailure } from "#lib/processing/failures";
import { listSourceNames } from "#lib/sources/source-store";
import { requiredId } from "#lib/views/definitions";
import { findMovedIds, placeKey } from "./moved-fields.ts";

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
