import { ArrowDown, ArrowUp } from "lucide-react";
import { Fragment, memo, type ReactNode } from "react";
import { HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { durationWords } from "#components/ui/time-format";
import type { ViewKind, ViewOrder, ViewRecord } from "#lib/contracts/views";
import {
  AssigneeCell,
  ClassificationCell,
  IdCell,
  LinkCell,
  NameCell,
  NumberCell,
  RunCell,
  StateCell,
  TextCell,
  TimeCell,
} from "./view-cells.tsx";
import { fieldId, fieldLine, fieldTime, runDuration } from "./view-labels.tsx";

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
  const columns = kind === "document" && records.some(({ parent }) => parent !== null) ? OF_SEVERAL_SOURCES : COLUMNS[kind];
  const { rows, listeners } = useSteadyOrder(records, ({ id }) => id);
  return (
    <Table label={label} wide className={kind === "run" ? "" : NARROW}>
      <TableHead>
        {columns.map((column) => (
          <HeadCell
            key={column.head}
            {...(column === state && { className: "rail:min-w-28" })}
            {...alignOf(column)}
            {...(onOrder && column.sorts && { "aria-sort": SORTS[order] })}
          >
            {onOrder && column.sorts ? <SortButton head={column.head} order={order} onOrder={onOrder} /> : column.head}
          </HeadCell>
        ))}
      </TableHead>
      <TableBody {...listeners}>
        {rows.map((record) => (
          <RecordRow key={record.id} record={record} columns={columns} />
        ))}
      </TableBody>
    </Table>
  );
}

const state: Column = { head: "State", cell: (record) => <StateCell record={record} /> };
const name: Column = { head: "Name", cell: (record) => <NameCell record={record} /> };
const id: Column = { head: "ID", cell: (record) => <IdCell record={record} /> };
const lastEvent: Column = { head: "Last event", align: "right", sorts: true, cell: (record) => <TimeCell at={record.lastEventAt} /> };

const text = (head: string, ...fields: string[]): Column => ({
  head,
  cell: (record) => <TextCell text={fields.map((field) => fieldLine(record, field)).find((line) => line !== null) ?? null} />,
});
const number = (head: string, field: string): Column => ({
  head,
  align: "right",
  cell: (record) => <NumberCell text={fieldLine(record, field)} />,
});
const time = (head: string, field: string): Column => ({
  head,
  align: "right",
  cell: (record) => <TimeCell at={fieldTime(record, field)} />,
});
const link = (head: string, kind: ViewKind, field: string): Column => ({
  head,
  cell: (record) => {
    const id = fieldId(record, field);
    return <LinkCell kind={kind} id={id} name={record.names?.[`${kind}:${id}`]} />;
  },
});
const children = (head: string, counted: (states: Record<string, number>) => number): Column => ({
  head,
  align: "right",
  cell: (record) => <NumberCell text={record.childStates ? String(counted(record.childStates)) : null} />,
});

const total = (states: Record<string, number>) => Object.values(states).reduce((sum, count) => sum + count, 0);
const stages = (record: ViewRecord) => Object.keys(record.fields).filter((field) => field.startsWith("stage:")).length;

const COLUMNS: Record<ViewKind, readonly Column[]> = {
  document: [state, name, id, text("Organization", "organizationId"), number("Pages", "pages"), lastEvent],
  task: [
    state,
    name,
    { head: "Assignee or team", cell: (record) => <AssigneeCell name={fieldLine(record, "assignee") ?? fieldLine(record, "team")} /> },
    { head: "Classification", cell: (record) => <ClassificationCell record={record} /> },
    link("Pipeline", "pipeline", "pipelineId"),
    text("Stage", "stage"),
    link("Document", "document", "documentId"),
    lastEvent,
  ],
  pipeline: [
    name,
    id,
    { head: "Stages", align: "right", cell: (record) => <NumberCell text={String(stages(record))} /> },
    children("Active", (states) => total(states) - (states.completed ?? 0)),
    children("Completed", (states) => states.completed ?? 0),
    time("Last moved", "lastMovedAt"),
  ],
  automation: [
    state,
    name,
    id,
    children("Runs", total),
    children("Failed runs", (states) => states.error ?? 0),
    time("Last triggered", "lastTriggeredAt"),
    lastEvent,
  ],
  run: [
    state,
    { head: "Run", cell: (record) => <RunCell record={record} /> },
    time("Started", "startedAt"),
    { head: "Duration", align: "right", cell: (record) => <NumberCell text={tookWords(record)} /> },
    {
      head: "Error",
      cell: (record) => <TextCell text={fieldLine(record, "errorMessage") ?? fieldLine(record, "errorCode")} roomy />,
    },
  ],
  integration: [
    state,
    name,
    id,
    { head: "Account", cell: (record) => <TextCell text={fieldLine(record, "account")} roomy /> },
    time("Token refreshed", "lastRefreshAt"),
    time("Last error", "lastErrorAt"),
    lastEvent,
  ],
  record: [state, name, text("Kind", "kind"), text("ID", "recordId"), text("Source", "source"), lastEvent],
};

const OF_SEVERAL_SOURCES: readonly Column[] = [state, name, id, text("Source", "source"), number("Pages", "pages"), lastEvent];

/** Memoized: most records are unchanged when the list is refetched. */
const RecordRow = memo(function RecordRow({ record, columns }: { record: ViewRecord; columns: readonly Column[] }) {
  return (
    <Row>
      {columns.map((column) => (
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

/** `sorts`: the list can be ordered by it. */
type Column = { head: string; align?: "right"; sorts?: true; cell: (record: ViewRecord) => ReactNode };

function tookWords(run: ViewRecord): string | null {
  const ms = runDuration(run);
  return ms === null ? null : durationWords(ms);
}
