"use client";

import { useEffect, useRef } from "react";
import { EventRow, NARROW } from "#components/events/event-row";
import type { Selection } from "#components/events/use-selection";
import { useWindowRows } from "#components/events/use-window-rows";
import { Checkbox } from "#components/ui/checkbox";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/table";
import { keyOf } from "#lib/client/event-pages";
import type { EventSummary } from "#lib/contracts/events";

const ROWS = {
  rowPx: 36,
  /** The keys j and k find the next row in the page. */
  beyond: 15,
  firstPx: 900,
};

type EventTableProps = {
  events: EventSummary[];
  selected: string | null;
  selection: Selection;
  /** The last rows come into sight. */
  onEnd: () => void;
};

/** The events as lines, newest first. Only the rows in sight are in the page, however many are loaded. */
export function EventTable({ events, selected, selection, onEnd }: EventTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const keys = events.map(keyOf);
  const { first, last, before, after } = useWindowRows(box, keys, ROWS);
  const atEnd = last >= events.length - 1;
  useEffect(() => {
    if (atEnd) onEnd();
  }, [atEnd, onEnd]);
  const all = events.length > 0 && selection.ticked.length === events.length;
  return (
    <div ref={box}>
      <Table label="Events, newest first" className="max-rail:overflow-x-visible">
        <TableHead>
          <HeadCell className="w-8">
            <Checkbox
              aria-label="Select all loaded events"
              checked={all || (selection.ticked.length > 0 && "indeterminate")}
              onCheckedChange={() => selection.set(all ? [] : events)}
            />
          </HeadCell>
          <HeadCell className="@min-[860px]:min-w-36">State</HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell className={NARROW.subject}>Subject</HeadCell>
          <HeadCell className={NARROW.minor}>Source</HeadCell>
          <HeadCell align="right" className="@min-[560px]:min-w-24">
            Received
          </HeadCell>
          <HeadCell align="right" className={NARROW.minor}>
            Size
          </HeadCell>
        </TableHead>
        <TableBody>
          <Gap height={before} />
          {events.slice(first, last + 1).map((event, place) => (
            <EventRow
              key={keyOf(event)}
              index={first + place}
              event={event}
              selected={event.id === selected}
              ticked={selection.keys.has(keyOf(event))}
              onTick={(range) => selection.toggle(event, range)}
            />
          ))}
          <Gap height={after} />
        </TableBody>
      </Table>
    </div>
  );
}

/** Stands for the rows that are not in the page. */
function Gap({ height }: { height: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden>
      <td colSpan={7} style={{ height }} className="p-0" />
    </tr>
  );
}
