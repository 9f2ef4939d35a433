import type { ResourceRef } from "#lib/contracts/events";
import type { FindingResource } from "#lib/contracts/findings";

/** Where a resource's page is. */
const PATHS: Record<string, string> = {
  document: "documents",
  task: "tasks",
  pipeline: "pipelines",
  automation: "automations",
  run: "runs",
  integration: "integrations",
};

/** The address of a resource's page; null for a kind without one. */
export function resourceHref({ kind, id }: ResourceRef): string | null {
  const path = Object.hasOwn(PATHS, kind) ? PATHS[kind] : undefined;
  return path === undefined ? null : `/${path}/${encodeURIComponent(id)}`;
}

/** The address of what a finding is about; a connection and a source have pages of ours. */
export function findingResourceHref({ kind, id }: FindingResource): string {
  if (kind === "source") return "/settings/sources";
  return kind === "connection" ? `/connections/${encodeURIComponent(id)}` : (resourceHref({ kind, id }) ?? "/findings");
}

const RANKS = ["task", "run", "document", "integration", "automation", "pipeline"];

/** The resources that an event speaks of, the narrowest first: a task says more than its pipeline. */
export function bySubject(resources: readonly ResourceRef[]): ResourceRef[] {
  const rank = ({ kind }: ResourceRef) => (RANKS.includes(kind) ? RANKS.indexOf(kind) : RANKS.length);
  return [...resources].sort((a, b) => rank(a) - rank(b));
}
