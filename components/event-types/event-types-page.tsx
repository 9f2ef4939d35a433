"use client";

import { useQuery } from "@tanstack/react-query";
import { Braces, Search } from "lucide-react";
import { useState } from "react";
import { ErrorState, LoadingState, NothingMatches, NothingYet } from "#components/ui/layout/content-states";
import { PageHeader } from "#components/ui/layout/page-header";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { TextLink } from "#components/ui/layout/text-link";
import { useFirstRows } from "#components/ui/lists/use-first-rows";
import { Input } from "#components/ui/primitives/input";
import { RelativeTime } from "#components/ui/relative-time";
import { eventTypesQuery } from "#lib/client/queries/event-types";
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
  const { data, error, isPending, refetch } = useQuery(eventTypesQuery);
  const [find, setFind] = useState("");
  if (isPending) return <LoadingState what="event types" rows={8} />;
  if (!data) return <ErrorState what="the event types" error={error} onRetry={() => void refetch()} />;
  // What is documented and was never received has nothing to show.
  const learnt = data.filter(({ id }) => id !== null);
  if (learnt.length === 0)
    return (
      <NothingYet icon={<Braces aria-hidden />} title="No event type learnt yet">
        The first events of a source show which fields it sends. <TextLink href="/settings/sources">Add a source</TextLink>, or send an
        event.
      </NothingYet>
    );
  const shown = learnt.filter((type) => matches(type, find)).sort(byUrgency);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <div className="w-72 max-w-full">
          <Input
            type="search"
            aria-label="Find an event type"
            placeholder="Find by type or source"
            icon={<Search aria-hidden />}
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
      <Table label="Event types">
        <TableHead>
          <HeadCell>Type</HeadCell>
          <HeadCell className={WIDE}>Source</HeadCell>
          <HeadCell align="right">Events</HeadCell>
          <HeadCell align="right" className={WIDE}>
            Fields
          </HeadCell>
          <HeadCell align="right" className={WIDE}>
            Last change
          </HeadCell>
          <HeadCell>Drift</HeadCell>
        </TableHead>
        <TableBody>
          {shown.map((type) => (
            <EventTypeRow key={type.id} type={type} />
          ))}
        </TableBody>
      </Table>
      {more}
    </>
  );
}

function EventTypeRow({ type }: { type: EventTypeItem }) {
  return (
    <Row>
      <Cell className="w-full max-w-0" title={type.type}>
        <div className="flex min-w-0 items-center gap-2">
          <RowLink href={eventTypeHref(type.id ?? "")} className="truncate font-mono text-12">
            {type.type}
          </RowLink>
          <EventTypeBadge type={type} />
          {type.title === type.type ? null : <span className="truncate text-12 text-faint max-rail:hidden">{type.title}</span>}
        </div>
        <div className="hidden truncate pb-1.5 text-12 text-faint max-rail:block">{type.source}</div>
      </Cell>
      <Cell className={`text-muted ${WIDE}`}>{type.source}</Cell>
      <Cell align="right" className="tabular-nums">
        {formatNumber(type.events)}
      </Cell>
      <Cell align="right" className={`tabular-nums ${WIDE}`}>
        {formatNumber(fieldsIn(type))}
      </Cell>
      <Cell align="right" className={`text-muted ${WIDE}`}>
        {type.lastChangeAt === null ? "None" : <RelativeTime at={type.lastChangeAt} />}
      </Cell>
      <Cell>
        {type.drift.breaking + type.drift.warning + type.drift.info > 0 ? (
          <DriftBadge drift={type.drift} />
        ) : (
          <span className="text-faint">None</span>
        )}
      </Cell>
    </Row>
  );
}
