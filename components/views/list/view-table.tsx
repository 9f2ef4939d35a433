"use client";

import { Fragment, memo } from "react";
import { HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { COLUMNS, type Column } from "#components/views/list/columns";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";

/** On a phone the state, the name and the last column are left; runs have no name and keep all. */
const NARROW = "max-[700px]:[&_:is(td,th):not(:nth-child(-n+2),:last-child)]:hidden";

/** Views of one kind as a dense table. */
export function ViewTable({ kind, label, records }: { kind: ViewKind; label: string; records: ViewRecord[] }) {
  const columns = COLUMNS[kind];
  return (
    <Table label={label} wide className={kind === "run" ? "" : NARROW}>
      <TableHead>
        {columns.map((column) => (
          <HeadCell key={column.head} {...alignOf(column)}>
            {column.head}
          </HeadCell>
        ))}
      </TableHead>
      <TableBody>
        {records.map((record) => (
          <RecordRow key={record.id} record={record} />
        ))}
      </TableBody>
    </Table>
  );
}

/** Most records of a list are as they were when it is read again. */
const RecordRow = memo(function RecordRow({ record }: { record: ViewRecord }) {
  return (
    <Row>
      {COLUMNS[record.kind].map((column) => (
        <Fragment key={column.head}>{column.cell(record)}</Fragment>
      ))}
    </Row>
  );
});

const alignOf = ({ align }: Column) => (align ? { align } : {});
