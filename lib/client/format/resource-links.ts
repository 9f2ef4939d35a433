import type { ResourceRef } from "#lib/contracts/events/events";
import type { MissingEventResource } from "#lib/contracts/missing-events";

const PATHS: Record<string, string> = {
  document: "documents",
  task: "tasks",
  pipeline: "pipelines",
  automation: "automations",
  run: "runs",
  integration: "integrations",
  record: "records",
};

export function resourceHref({ kind, id }: ResourceRef): string | null {
  const path = Object.hasOwn(PATHS, kind) ? PATHS[kind] : undefined;
  return path === undefined ? null : `/${path}/${encodeURIComponent(id)}`;
}

export type SourceDialogName = "rotate" | "set-secret" | "edit";

/** The source's panel in the settings, with one of its dialogs open. */
export const sourceHref = (name: string, dialog: SourceDialogName | null = null): string =>
  `/settings/sources${dialog === null ? "" : `?source=${name}&open=${dialog}`}#source-${name}`;

/** `sender`: the title of its template. */
export const addSourceHref = (sender: string): string => `/settings/sources?${new URLSearchParams({ open: "add", sender })}`;

export function missingEventResourceHref({ kind, id }: Pick<MissingEventResource, "kind" | "id">): string {
  if (kind === "source") return "/settings/sources";
  return kind === "connection" ? `/connections/${encodeURIComponent(id)}` : (resourceHref({ kind, id }) ?? "/missing-events");
}

const RANKS = ["task", "run", "document", "integration", "automation", "pipeline", "record"];

/** Returns the resources of an event, the most specific first: a task before its pipeline. */
export function bySubject<R extends ResourceRef>(resources: readonly R[]): R[] {
  const rank = ({ kind }: R) => (RANKS.includes(kind) ? RANKS.indexOf(kind) : RANKS.length);
  return [...resources].sort((a, b) => rank(a) - rank(b));
}
