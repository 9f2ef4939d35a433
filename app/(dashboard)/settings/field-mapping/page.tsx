import type { QueryKey } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { FieldMappingPage } from "#components/settings/field-mapping/field-mapping-page";
import { Prefetched } from "#components/shell/prefetched";
import { Section } from "#components/ui/layout/section";
import { TextLink } from "#components/ui/primitives/page-link";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { fieldMappingQuery, fieldMappingSuggestionsQuery } from "#lib/client/queries/sources";
import { MAX_REPEATS } from "#lib/contracts/api/filters";
import { sourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { findEvent } from "#lib/events/event-store";
import { listPlacedIssues } from "#lib/flows/issues/root-causes";
import { isMappable, readFieldMapping } from "#lib/flows/sources/field-mapping";
import { suggestFieldMapping } from "#lib/flows/sources/suggest-field-mapping";
import { findIssueOfEvent } from "#lib/issues/issue-store";
import { listSources } from "#lib/sources/source-store";
import { type SearchParams, searchParamsOf } from "../../page-url.ts";

export const metadata: Metadata = { title: "Field mapping" };

/** `?issue=` opens it for the failed events of issues, with suggested paths; `?event=` for those of the event's issue. */
export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const actor = await requireActor("sources.read");
  const { workspaceId } = actor;
  const params = searchParamsOf(await searchParams);
  const eventId = params.get("event");
  const event = eventId === null ? null : await findEvent(workspaceId, eventId);
  const issueOfEvent = event && (await findIssueOfEvent(workspaceId, event));
  const issues = issueOfEvent === null ? params.getAll("issue").slice(0, MAX_REPEATS) : [issueOfEvent];
  const wanted = event?.sourceId ?? (await sourceOf(workspaceId, issues)) ?? params.get("source") ?? "";
  const all = await listSources(workspaceId);
  const sources = all.filter(isMappable).map(({ id, name }) => ({ id, name }));
  const asked = all.find(({ id, name }) => [id, name].includes(wanted));
  if (asked && !isMappable(asked)) return <NotMappable source={asked.name} />;
  const source = sources.find(({ id }) => id === asked?.id) ?? sources[0];
  if (!source) notFound();
  const id = sourceId.parse(source.id);
  const allowed = {
    change: can(actor.role, "sources.map_fields"),
    redeliver: can(actor.role, "events.redeliver"),
    release: can(actor.role, "quarantine.release"),
  };
  const entries: [QueryKey, unknown][] = [[fieldMappingQuery(id).queryKey, await readFieldMapping(workspaceId, id)]];
  if (issues.length > 0 && allowed.change)
    entries.push([fieldMappingSuggestionsQuery(id, issues).queryKey, await suggestFieldMapping(workspaceId, id, issues, new Date())]);
  const type = event?.summary.type ?? params.get("type");
  return (
    <Prefetched entries={entries}>
      <FieldMappingPage sources={sources} sourceId={id} type={type} issues={issues} allowed={allowed} />
    </Prefetched>
  );
}

/** Returns the source of the first of these issues that still has failed events. */
async function sourceOf(workspaceId: WorkspaceId, issues: string[]): Promise<string | undefined> {
  if (issues.length === 0) return undefined;
  return (await listPlacedIssues(workspaceId)).find(({ id }) => issues.includes(id))?.source.id;
}

function NotMappable({ source }: { source: string }) {
  return (
    <Section title="Field mapping">
      <p className="max-w-[72ch] text-13">
        The fields of {source} can't be mapped: its events are read as its template says. Change how they are read in{" "}
        <TextLink href="/settings/sources">Sources and secrets</TextLink>.
      </p>
    </Section>
  );
}
