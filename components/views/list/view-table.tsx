"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { Fragment, memo } from "react";
import { HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { COLUMNS, type Column } from "#components/views/list/columns";
import type { ViewKind, ViewOrder, ViewRecord } from "#lib/contracts/views";

/** Narrow screens show the state, the name and the last column; runs have no name and keep all columns. */
const NARROW = "max-[700px]:[&_:is(td,th):not(:nth-child(-n+2),:last-child)]:hidden";

type ViewTableProps = {
  kind: ViewKind;
  label: string;
  records: ViewRecord[];
  /** Order by the last event, the only column with an index. */
  order?: ViewOrder;
  onOrder?: (order: ViewOrder) => void;
};

export function ViewTable({ kind, label, records, order = "desc", onOrder }: ViewTableProps) {
  const columns = COLUMNS[kind];
  const { rows, listeners } = useSteadyOrder(records, ({ id }) => id);
  return (
    <Table label={label} wide className={kind === "run" ? "" : NARROW}>
      <TableHead>
        {columns.map((column) => (
          <HeadCell key={column.head} {...alignOf(column)} {...(onOrder && column.sorts && { "aria-sort": SORTS[order] })}>
            {onOrder && column.sorts ? <SortButton head={column.head} order={order} onOrder={onOrder} /> : column.head}
          </HeadCell>
        ))}
      </TableHead>
      <TableBody {...listeners}>
        {rows.map((record) => (
          <RecordRow key={record.id} record={record} />
        ))}
      </TableBody>
    </Table>
  );
}

/** Memoized: most records are unchanged when the list is refetched. */
const RecordRow = memo(function RecordRow({ record }: { record: ViewRecord }) {
  return (
    <Row>
      {COLUMNS[record.kind].map((column) => (
        <Fragment key={column.head}>{column.cell(record)}</Fragment>
      ))}
    </Row>
  );
});

const SORTS = { desc: "descending", asc: "ascending" } as const;

function SortButton({ head, order, onOrder }: { head: string; order: ViewOrder; onOrder: (order: ViewOrder) => void }) {
  const Arrow = order === "desc" ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      title={order === "desc" ? "Newest first" : "Oldest first"}
      className="inline-flex items-center gap-1 rounded-sm hover:text-text"
      onClick={() => onOrder(order === "desc" ? "asc" : "desc")}
    >
      {head}
      <Arrow aria-hidden className="size-3" />
    </button>
  );
}

const alignOf = ({ align }: Column) => (align ? { align } : {});
