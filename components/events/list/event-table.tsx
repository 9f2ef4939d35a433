"use client";

import { useEffect, useRef } from "react";
import { columnMarks, FIELD_COLUMN, HIDDEN, useColumns } from "#components/events/columns/use-columns";
import { useWindowRows } from "#components/events/list/use-window-rows";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { keyOf } from "#lib/client/queries/events/event-pages";
import type { EventSummary } from "#lib/contracts/events/events";
import { EventRow, NARROW } from "./event-row.tsx";
import type { Selection } from "./use-selection.tsx";

const ROWS = {
  rowPx: 36,
  /** Enough for the keys j and k to find the next row in the page. */
  beyond: 15,
  firstPx: 900,
};

type EventTableProps = {
  events: EventSummary[];
  selected: string | null;
  selection: Selection;
  onEnd: () => void;
};

/** Shows the events as rows, newest first. Only visible rows are in the page, however many are loaded. */
export function EventTable({ events, selected, selection, onEnd }: EventTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const { hidden, fields } = useColumns();
  const keys = events.map(keyOf);
  const { first, last, before, after } = useWindowRows(box, keys, ROWS);
  const atEnd = last >= events.length - 1;
  useEffect(() => {
    if (atEnd) onEnd();
  }, [atEnd, onEnd]);
  const all = events.length > 0 && selection.ticked.length === events.length;
  return (
    <div ref={box} {...columnMarks(hidden)}>
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
          <HeadCell className={`${NARROW.subject} ${HIDDEN.subject}`}>Subject</HeadCell>
          {fields.map((path) => (
            <HeadCell key={path} className={FIELD_COLUMN} title={path}>
              <span className="block max-w-28 truncate font-mono">{path.slice(path.lastIndexOf(".") + 1)}</span>
            </HeadCell>
          ))}
          <HeadCell className={`${NARROW.minor} ${HIDDEN.source}`}>Source</HeadCell>
          <HeadCell align="right" className={`${HIDDEN.received} @min-[560px]:min-w-24`}>
            Received
          </HeadCell>
          <HeadCell align="right" className={`${NARROW.minor} ${HIDDEN.size}`}>
            Size
          </HeadCell>
        </TableHead>
        <TableBody>
          <Gap height={before} columns={7 + fields.length} />
          {events.slice(first, last + 1).map((event, place) => (
            <EventRow
              key={keyOf(event)}
              index={first + place}
              event={event}
              fields={fields}
              selected={event.id === selected}
              ticked={selection.keys.has(keyOf(event))}
              onTick={(range) => selection.toggle(event, range)}
            />
          ))}
          <Gap height={after} columns={7 + fields.length} />
        </TableBody>
      </Table>
    </div>
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height }} className="p-0" />
    </tr>
  );
}
