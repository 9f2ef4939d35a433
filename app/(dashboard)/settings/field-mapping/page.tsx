import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { FieldMappingPage } from "#components/settings/field-mapping/field-mapping-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { fieldMappingQuery } from "#lib/client/queries/auth/field-mapping";
import { sourceId } from "#lib/contracts/api/ids";
import { findEvent } from "#lib/events/event-store";
import { readFieldMapping } from "#lib/flows/sources/mapping/read-field-mapping";
import { listSources } from "#lib/sources/source-store";
import { type SearchParams, searchParamsOf } from "../../url.ts";

export const metadata: Metadata = { title: "Field mapping" };

/** Where in a source's payloads the fields of records stand. `?event=` opens the source and the type of an event. */
export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const actor = await requireActor("sources.read");
  const params = searchParamsOf(await searchParams);
  const eventId = params.get("event");
  const event = eventId === null ? null : await findEvent(actor.workspaceId, eventId);
  const wanted = event?.sourceId ?? params.get("source") ?? "";
  // Another sender's events are read as its template says.
  const own = (await listSources(actor.workspaceId)).filter(({ template }) => template === "platform");
  const sources = own.map(({ id, name }) => ({ id, name }));
  const source = sources.find(({ id, name }) => [id, name].includes(wanted)) ?? sources[0];
  if (!source) notFound();
  const mapping = await readFieldMapping(actor.workspaceId, sourceId.parse(source.id));
  const allowed = {
    change: can(actor.role, "sources.map_fields"),
    redeliver: can(actor.role, "events.redeliver"),
    release: can(actor.role, "quarantine.release"),
  };
  return (
    <Prefetched entries={[[fieldMappingQuery(source.id).queryKey, mapping]]}>
      <FieldMappingPage sources={sources} sourceId={source.id} type={event?.summary.type ?? params.get("type")} allowed={allowed} />
    </Prefetched>
  );
}
