"use client";

import { useQuery } from "@tanstack/react-query";
import { Braces } from "lucide-react";
import { useState } from "react";
import { NothingMatches, NothingYet, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, numberColumn, timeColumn } from "#components/ui/layout/data-table";
import { PageHeader } from "#components/ui/layout/page-header";
import { RowLink } from "#components/ui/layout/table";
import { useFirstRows } from "#components/ui/lists/paging";
import { SearchInput } from "#components/ui/primitives/input";
import { TextLink } from "#components/ui/primitives/page-link";
import { eventTypesQuery } from "#lib/client/queries/event-types";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventTypeItem } from "#lib/contracts/event-types";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { DriftBadge, EventTypeBadge, eventTypeHref, fieldsIn } from "./event-type-labels.tsx";

export function EventTypesPage() {
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Event types"
        description="The fields of the events that each source really sends, learnt as they are received. A change that the past makes implausible is drift."
      />
      <EventTypes />
    </div>
  );
}

function EventTypes() {
  const { data, fallback } = withFallback(useQuery(eventTypesQuery), { what: "the event types", loading: "event types", rows: 8 });
  const [find, setFind] = useState("");
  if (!data) return fallback;
  // What is documented and was never received has nothing to show.
  const learnt = data.filter(({ id }) => id !== null);
  if (learnt.length === 0)
    return (
      <NothingYet icon={<Braces />} title="No event type learnt yet">
        The first events of a source show which fields it sends. <TextLink href="/settings/sources">Add a source</TextLink>, or send an
        event.
      </NothingYet>
    );
  const shown = learnt.filter((type) => matches(type, find)).sort(byUrgency);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <div className="w-72 max-w-full">
          <SearchInput
            label="Find an event type"
            placeholder="Find by type or source"
            value={find}
            onChange={({ target }) => setFind(target.value)}
          />
        </div>
        <span role="status" className="text-12 text-muted">
          {find.trim() === ""
            ? countWords(learnt.length, "event type")
            : `${formatNumber(shown.length)} of ${countWords(learnt.length, "event type")}`}
        </span>
      </div>
      {shown.length === 0 ? (
        <NothingMatches what="event types" onClear={() => setFind("")}>
          Try a part of the type's or the source's name.
        </NothingMatches>
      ) : (
        <EventTypeTable key={find} types={shown} />
      )}
    </>
  );
}

const matches = ({ type, title, source, variant }: EventTypeItem, find: string): boolean =>
  [type, title, source, variant].some((text) => text?.toLowerCase().includes(find.trim().toLowerCase()));

/** Those with drift first, then by name: an order that no new event changes under the pointer. */
const byUrgency = (a: EventTypeItem, b: EventTypeItem): number =>
  b.drift.breaking - a.drift.breaking ||
  b.drift.warning - a.drift.warning ||
  a.type.localeCompare(b.type, "en") ||
  (a.source ?? "").localeCompare(b.source ?? "", "en");

const WIDE = "max-rail:hidden";

function EventTypeTable({ types }: { types: EventTypeItem[] }) {
  const { shown, more } = useFirstRows(types);
  return (
    <>
      <DataTable label="Event types" columns={COLUMNS} rows={shown} keyOf={({ id }) => id ?? ""} />
      {more}
    </>
  );
}

const COLUMNS: Column<EventTypeItem>[] = [
  { head: "Type", look: "w-full max-w-0", title: ({ type }) => type, cell: (type) => <Name type={type} /> },
  { head: "Source", className: WIDE, look: "text-muted", cell: ({ source }) => source },
  numberColumn("Events", ({ events }) => formatNumber(events)),
  numberColumn("Fields", (type) => formatNumber(fieldsIn(type)), "", WIDE),
  timeColumn("Last change", ({ lastChangeAt }) => lastChangeAt, "None", WIDE),
  {
    head: "Drift",
    cell: ({ drift }) =>
      drift.breaking + drift.warning + drift.info > 0 ? <DriftBadge drift={drift} /> : <span className="text-faint">None</span>,
  },
];

function Name({ type }: { type: EventTypeItem }) {
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <RowLink href={eventTypeHref(type.id ?? "")} className="truncate font-mono text-12">
          {visible(type.type)}
        </RowLink>
        <EventTypeBadge type={type} />
        {type.title === type.type ? null : <span className="truncate text-12 text-faint max-rail:hidden">{type.title}</span>}
      </div>
      <div className="hidden truncate pb-1.5 text-12 text-faint max-rail:block">{type.source}</div>
    </>
  );
}
