import { type RefObject, startTransition, useEffect, useRef, useState } from "react";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { keyOf } from "#lib/client/queries/events";
import type { EventOrder } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventSummary } from "#lib/contracts/events/events";
import { EventRow, NARROW } from "./event-row.tsx";
import { COLUMNS, columnMarks, FIELD_COLUMN, HIDDEN, useColumns } from "./use-columns.tsx";

const ROWS = {
  rowPx: 36,
  /** Enough for the keys j and k to find the next row in the page. */
  beyond: 15,
  firstPx: 900,
};

type EventTableProps = {
  events: EventSummary[];
  order: EventOrder | undefined;
  onOrder: (order: EventOrder) => void;
  selected: string | null;
  selection: Selection;
  onEnd: () => void;
};

export const ORDER_WORDS: Record<EventOrder, string> = { received: "newest first", occurred: "latest occurrence first" };

/** Shows the events as rows. Only visible rows are in the page, however many are loaded. */
export function EventTable({ events, order = "received", onOrder, selected, selection, onEnd }: EventTableProps) {
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
    <div ref={box} data-order={order} {...columnMarks(hidden)}>
      <Table label={`Events, ${ORDER_WORDS[order]}`} className="max-rail:overflow-x-visible">
        <TableHead>
          <HeadCell className="w-8">
            <Checkbox
              aria-label="Select all loaded events"
              checked={all || (selection.ticked.length > 0 && "indeterminate")}
              onCheckedChange={() => selection.set(all ? [] : events)}
            />
          </HeadCell>
          <HeadCell>
            <span className="@max-[560px]:sr-only">State</span>
          </HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell className={`${NARROW.subject} ${HIDDEN.subject}`}>Subject</HeadCell>
          {fields.map((path) => (
            <HeadCell key={path} className={FIELD_COLUMN} title={path}>
              <span className="block max-w-28 truncate font-mono">{path.slice(path.lastIndexOf(".") + 1)}</span>
            </HeadCell>
          ))}
          <HeadCell className={`${NARROW.minor} ${HIDDEN.source}`}>Source</HeadCell>
          <TimeHead
            order={order}
            by="occurred"
            onOrder={onOrder}
            className={`${NARROW.occurred} ${HIDDEN.occurred} @min-[560px]:min-w-24`}
          />
          <TimeHead
            order={order}
            by="received"
            onOrder={onOrder}
            className={`${NARROW.received} ${HIDDEN.received} @min-[560px]:min-w-24`}
          />
          <HeadCell align="right" className={`${NARROW.minor} ${HIDDEN.size}`}>
            Size
          </HeadCell>
        </TableHead>
        <TableBody>
          <Gap height={before} columns={8 + fields.length} />
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
          <Gap height={after} columns={8 + fields.length} />
        </TableBody>
      </Table>
    </div>
  );
}

type TimeHeadProps = { order: EventOrder; by: EventOrder; onOrder: (order: EventOrder) => void; className: string };

/** Names a time and sorts by it, newest first. */
function TimeHead({ order, by, onOrder, className }: TimeHeadProps) {
  const sorted = order === by;
  return (
    <HeadCell align="right" className={className} aria-sort={sorted ? "descending" : undefined}>
      <button
        type="button"
        className="rounded-sm hover:text-text"
        title={sorted ? "Newest first" : "Sort by this time"}
        onClick={() => onOrder(by)}
      >
        {by === "occurred" ? COLUMNS.occurred : COLUMNS.received}
        {sorted && order === "occurred" ? " ↓" : ""}
      </button>
    </HeadCell>
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height }} className="p-0" />
    </tr>
  );
}

/** Scroll positions are rounded to steps, so that not every pixel re-renders the table. */
const STEP_PX = 144;

type WindowRows = {
  first: number;
  last: number /** Height of the rows left out above and below, in pixels. */;
  before: number;
  after: number;
};

/** Returns the visible rows plus `beyond` on each side. Rows are `rowPx` high until measured; the server assumes a window of `firstPx`. */
function useWindowRows(
  box: RefObject<HTMLElement | null>,
  keys: string[],
  { rowPx, beyond, firstPx }: { rowPx: number; beyond: number; firstPx: number },
): WindowRows {
  const heights = useRef(new Map<string, number>());
  const [, setMeasured] = useState(0);
  const [sight, setSight] = useState<{ step: number; px: number } | null>(null);
  useEffect(() => {
    const look = () => {
      const step = Math.floor(-(box.current?.getBoundingClientRect().top ?? 0) / STEP_PX);
      const px = window.innerHeight;
      setSight((old) => (old?.step === step && old.px === px ? old : { step, px }));
    };
    startTransition(look);
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [box]);
  const rest = beyond * rowPx;
  const from = sight ? sight.step * STEP_PX - rest : 0;
  const to = sight ? (sight.step + 1) * STEP_PX + sight.px + rest : firstPx;
  const rows = rowsBetween(keys, (key) => heights.current.get(key) ?? rowPx, from, to);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows in the page change with the range and with the width of the window.
  useEffect(() => {
    let changed = false;
    for (const row of box.current?.querySelectorAll<HTMLElement>("[data-row-key]") ?? []) {
      const key = row.dataset.rowKey ?? "";
      changed ||= (heights.current.get(key) ?? rowPx) !== row.offsetHeight;
      heights.current.set(key, row.offsetHeight);
    }
    if (changed) setMeasured((times) => times + 1);
  }, [box, rowPx, rows.first, rows.last, sight?.px]);
  return rows;
}

/** Returns the rows that touch the pixels from `from` to `to`, counted from the first row's top; at least one. */
export function rowsBetween(keys: string[], heightOf: (key: string) => number, from: number, to: number): WindowRows {
  let at = 0;
  let first = -1;
  let last = -1;
  let before = 0;
  let end = 0;
  for (const [index, key] of keys.entries()) {
    const height = heightOf(key);
    if (first === -1 && (at + height > from || index === keys.length - 1)) [first, before] = [index, at];
    if (first !== -1 && (at < to || index === first)) [last, end] = [index, at + height];
    at += height;
  }
  return { first: Math.max(0, first), last, before, after: at - end };
}

/** Tracks the selected rows. Shift-click selects the range from the last one; another filter clears the selection. */
export function useSelection(filter: EventFilter, events: EventSummary[]) {
  const [chosen, setChosen] = useState<{ filter: EventFilter; keys: ReadonlySet<string> }>({ filter, keys: new Set() });
  const last = useRef<string | null>(null);
  const keys = chosen.filter === filter ? chosen.keys : new Set<string>();
  const ticked = events.filter((event) => keys.has(keyOf(event)));

  function toggle(event: EventSummary, range: boolean) {
    const key = keyOf(event);
    const next = new Set(keys);
    const all = events.map(keyOf);
    const [a, b] = [all.indexOf(last.current ?? ""), all.indexOf(key)];
    const on = !keys.has(key);
    const touched = range && a >= 0 ? all.slice(Math.min(a, b), Math.max(a, b) + 1) : [key];
    for (const one of touched) {
      if (on) next.add(one);
      else next.delete(one);
    }
    last.current = key;
    setChosen({ filter, keys: next });
  }
  const set = (events: EventSummary[]) => setChosen({ filter, keys: new Set(events.map(keyOf)) });
  return { keys, ticked, toggle, set };
}

export type Selection = ReturnType<typeof useSelection>;
