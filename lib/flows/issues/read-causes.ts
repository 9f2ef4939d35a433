import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { RootCause } from "#lib/contracts/issues";
import { pool } from "#lib/db/pool";
import { listSourcesOf } from "#lib/events/event-source-store";
import { type FailingIssue, listFailingIssues } from "#lib/issues/cause-store";
import { listSources } from "#lib/sources/source-store";
import { groupCauses } from "./group-causes.ts";

/** Finds what open issues have in common: the code, the source, and when they began (docs/decisions/0012). */
export async function readCauses(workspaceId: WorkspaceId): Promise<RootCause[]> {
  return groupCauses(await listPlacedIssues(workspaceId));
}

/** Lists the issues with failed events, each with the source of the newest. */
export async function listPlacedIssues(workspaceId: WorkspaceId): Promise<(FailingIssue & { source: { id: string; name: string } })[]> {
  const issues = await listFailingIssues(workspaceId);
  if (issues.length === 0) return [];
  const [sourceOf, sources] = await Promise.all([listSourcesOf(pool(), issues), listSources(workspaceId)]);
  const byId = new Map(sources.map(({ id, name }) => [id, { id, name }]));
  return issues.flatMap((issue) => {
    const source = byId.get(sourceOf.get(issue.seq) ?? "");
    return source ? [{ ...issue, source }] : [];
  });
}
