import { type Column, timeColumn } from "#components/ui/layout/data-table";
import { RowLink } from "#components/ui/layout/table";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventSummary } from "#lib/contracts/events/events";
import { EventStateBadge } from "./event-state-badge.tsx";
import { type Beside, BesideTitle } from "./resource-id.tsx";

/** Columns of a short list of events: what stands beside each title, and `more` before the time. */
export const eventColumns = (
  besideOf: (event: EventSummary) => Beside | undefined,
  ...more: Column<EventSummary>[]
): Column<EventSummary>[] => [
  { head: "State", cell: (event) => <EventStateBadge quiet {...event} /> },
  {
    head: "Event",
    look: "w-full max-w-0 truncate max-[480px]:whitespace-normal",
    title: ({ type }) => type,
    cell: (event) => (
      <>
        <RowLink href={`/events/${encodeURIComponent(event.id)}`}>{visible(event.title)}</RowLink>
        <BesideTitle {...besideOf(event)} />
      </>
    ),
  },
  ...more,
  timeColumn("Received", ({ receivedAt }) => receivedAt),
];
