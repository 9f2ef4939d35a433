"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { EventRow, NARROW } from "#components/events/event-row";
import type { Selection } from "#components/events/use-selection";
import { Checkbox } from "#components/ui/checkbox";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/table";
import { keyOf } from "#lib/client/event-pages";
import type { EventSummary } from "#lib/contracts/events";

const ROW_PX = 36;
/** Rows beyond the screen that are there too: the keys j and k find the next one in the page. */
const BEYOND = 15;
/** What the server draws; the browser measures. */
const FIRST_RECT = { width: 1200, height: 1100 };

type EventTableProps = {
  events: EventSummary[];
  selected: string | null;
  selection: Selection;
  /** The last rows come into sight. */
  onEnd: () => void;
};

/** The events as lines, newest first. Only the rows in sight are in the page, however many are loaded. */
export function EventTable({ events, selected, selection, onEnd }: EventTableProps) {
  // The virtualizer is changed in place: a compiler that remembers its answers would show old rows.
  "use no memo";
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((box.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const virtual = useWindowVirtualizer({
    count: events.length,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
    scrollMargin: top,
    initialRect: FIRST_RECT,
    getItemKey: (index) => {
      const event = events[index];
      return event ? keyOf(event) : index;
    },
  });
  const rows = virtual.getVirtualItems();
  const atEnd = (rows.at(-1)?.index ?? 0) >= events.length - 1;
  useEffect(() => {
    if (atEnd) onEnd();
  }, [atEnd, onEnd]);
  const before = (rows[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((rows.at(-1)?.end ?? top) - top);
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
          <HeadCell>State</HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell className={NARROW.subject}>Subject</HeadCell>
          <HeadCell className={NARROW.minor}>Source</HeadCell>
          <HeadCell align="right">Received</HeadCell>
          <HeadCell align="right" className={NARROW.minor}>
            Size
          </HeadCell>
        </TableHead>
        <TableBody>
          <Gap height={before} />
          {rows.map(({ index, key }) => {
            const event = events[index];
            return event ? (
              <EventRow
                key={key}
                ref={virtual.measureElement}
                index={index}
                event={event}
                selected={event.id === selected}
                ticked={selection.keys.has(keyOf(event))}
                onTick={(range) => selection.toggle(event, range)}
              />
            ) : null;
          })}
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
