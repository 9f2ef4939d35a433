import { Braces } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { NothingYet } from "#components/ui/layout/content-states";
import { type Column, DataTable } from "#components/ui/layout/data-table";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { StateBadge } from "#components/ui/primitives/badge";
import { RelativeTime } from "#components/ui/relative-time";
import { writeJson } from "#lib/contracts/exact-json";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { FieldMappingPreview, PreviewedEvent } from "#lib/contracts/sources/field-mapping";
import { triedWords } from "./mapping-rows.tsx";

const PREVIEW = "Preview";
const FAILED = "Failed events";
/** It failed with an earlier mapping, and the saved one reads it as this one does. */
const SAVED_ALREADY = "Would be applied: it failed before the saved mapping, which reads it the same way";

export function MappingPreview({ preview }: { preview: FieldMappingPreview }) {
  const { events, failing, requests } = preview;
  if (events.length === 0 && requests.length === 0 && !failing?.tried)
    return (
      <NothingYet icon={<Braces />} title="No events to preview with">
        The preview shows recent events of this source and type.
      </NothingYet>
    );
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="text-13">
        {summaryOf(preview)}
      </p>
      {failing === null ? (
        events.length > 0 && <Events label={PREVIEW} events={events} />
      ) : (
        <>
          {failing.events.length > 0 && <Events label={FAILED} events={failing.events} />}
          {preview.changed > 0 && (
            <Events label="Applied events that would be read differently" events={events.filter((event) => !isSame(event))} />
          )}
        </>
      )}
      {requests.length === 0 ? null : (
        <DataTable label="Quarantined requests" columns={REQUEST_COLUMNS} rows={requests} keyOf={({ id }) => id} />
      )}
    </div>
  );
}

const of = (count: number, total: number, one: string) => `${formatNumber(count)} of ${countWords(total, one)}`;

const ofTried = (count: number, from: { tried: number; total: number }, one: string) =>
  `${formatNumber(count)} of ${triedWords(from, one)}`;

export function summaryOf({ events, tried, changed, failing, fixed, broken, quarantined, readable }: FieldMappingPreview): string {
  const parts = failing === null ? [] : [`${ofTried(failing.fixed, failing, "failed event")} would be applied`];
  if (events.length > 0)
    parts.push(`${of(changed, tried, failing === null ? "recent event" : "recent applied event")} would be read differently`);
  if (fixed > 0) parts.push(`${formatNumber(fixed)} that failed would be applied`);
  if (broken > 0) parts.push(`${formatNumber(broken)} that ${broken === 1 ? "is" : "are"} applied now would fail`);
  if (quarantined.total > 0) parts.push(`${ofTried(readable, quarantined, "quarantined request")} could be released`);
  return `${parts.join("; ")}.`;
}

function Events({ label, events }: { label: string; events: PreviewedEvent[] }) {
  return (
    <Table label={label} wide>
      <TableHead>
        <HeadCell>{label === PREVIEW ? "Event" : label}</HeadCell>
        <HeadCell>Read now</HeadCell>
        <HeadCell>With this mapping</HeadCell>
      </TableHead>
      <TableBody>
        {events.map((event) => (
          <Row key={event.eventId}>
            <Cell className="py-2 align-top">
              <span className="flex flex-col gap-0.5">
                <ResourceId id={event.eventId} href={`/events/${encodeURIComponent(event.eventId)}`} />
                <span className="text-12 text-muted">
                  {event.type}, <RelativeTime at={event.receivedAt} />
                </span>
              </span>
            </Cell>
            {isSame(event) ? (
              <Cell colSpan={2} className="py-2 align-top text-12 text-muted">
                {label === FAILED ? SAVED_ALREADY : "No difference"}
              </Cell>
            ) : (
              <>
                <Side event={event} side="before" />
                <Side event={event} side="after" />
              </>
            )}
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

const isSame = ({ changes, failureBefore, failureAfter }: PreviewedEvent) =>
  changes.length === 0 && failureBefore === null && failureAfter === null;

function Side({ event, side }: { event: PreviewedEvent; side: "before" | "after" }) {
  const failure = side === "before" ? event.failureBefore : event.failureAfter;
  return (
    <Cell className="max-w-96 whitespace-normal py-2 align-top">
      {failure === null ? null : (
        <span className="flex flex-col items-start gap-1">
          <StateBadge state="failed">Fails</StateBadge>
          <span className="break-words text-12 text-muted">{failure}</span>
        </span>
      )}
      {failure === null && event.changes.length > 0 ? (
        <ul className="flex flex-col gap-0.5">
          {event.changes.map((change) => (
            <li key={`${change.kind} ${change.field}`} className="break-words text-12">
              <span className="text-muted">
                {change.kind} {change.field === "id" ? "ID" : change.field}:{" "}
              </span>
              <span className="font-mono">{valueText(change[side])}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </Cell>
  );
}

const LONGEST = 120;

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  const text = typeof value === "string" ? value : writeJson(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const REQUEST_COLUMNS: Column<FieldMappingPreview["requests"][number]>[] = [
  {
    head: "Quarantined request",
    look: "py-2 align-top",
    cell: ({ id, receivedAt }) => (
      <span className="flex flex-col gap-0.5">
        <ResourceId id={id} href={`/quarantine/${encodeURIComponent(id)}`} />
        <span className="text-12 text-muted">
          Received <RelativeTime at={receivedAt} />
        </span>
      </span>
    ),
  },
  {
    head: "With this mapping",
    look: "max-w-96 whitespace-normal py-2 align-top text-12",
    cell: ({ eventId, type, failureAfter }) =>
      failureAfter === null ? (
        <span className="flex flex-col gap-1">
          <StateBadge state="fine">Can be released</StateBadge>
          <span className="break-words font-mono text-muted">{`${type} ${eventId}`}</span>
        </span>
      ) : (
        <span className="break-words text-muted">Not an event: {failureAfter}</span>
      ),
  },
];
