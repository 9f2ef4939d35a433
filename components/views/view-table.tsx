import { ArrowDown, ArrowUp } from "lucide-react";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { ViewStateBadge } from "#components/records/view-state-badge";
import { type Column, DataTable, STATE, timeColumn } from "#components/ui/layout/data-table";
import { RowLink } from "#components/ui/layout/table";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { TextLink } from "#components/ui/primitives/page-link";
import { durationWords } from "#components/ui/time-format";
import { visible } from "#lib/contracts/api/plain-text";
import { writeJson } from "#lib/contracts/exact-json";
import type { ViewKind, ViewOrder, ViewRecord } from "#lib/contracts/views";
import { fieldId, fieldLine, fieldTime, KIND_WORDS, runDuration, shareWords, viewHref } from "./view-labels.tsx";

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
  const { rows, listeners } = useSteadyOrder(records, ({ id }) => id);
  return (
    <DataTable
      label={label}
      wide
      className={kind === "run" ? "" : NARROW}
      columns={kind === "document" && records.some(({ parent }) => parent !== null) ? OF_SEVERAL_SOURCES : COLUMNS[kind]}
      rows={rows}
      keyOf={({ id }) => id}
      body={listeners}
      heads={onOrder && { [LAST_EVENT]: { "aria-sort": SORTS[order], children: <SortButton order={order} onOrder={onOrder} /> } }}
    />
  );
}

const LAST_EVENT = "Last event";
const SORTS = { desc: "descending", asc: "ascending" } as const;

function SortButton({ order, onOrder }: { order: ViewOrder; onOrder: (order: ViewOrder) => void }) {
  const Arrow = order === "desc" ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      title={order === "desc" ? "Newest first" : "Oldest first"}
      className="inline-flex items-center gap-1 rounded-sm hover:text-text"
      onClick={() => onOrder(order === "desc" ? "asc" : "desc")}
    >
      {LAST_EVENT}
      <Arrow className="size-3" />
    </button>
  );
}

type ViewColumn = Column<ViewRecord>;

const EMPTY = <span className="text-faint">–</span>;

const state: ViewColumn = {
  ...STATE,
  look: "min-[700px]:w-32",
  cell: (record) => (
    <>
      <span className="inline-flex max-w-40 align-middle">
        <ViewStateBadge quiet state={record.state} failed={record.failed} />
      </span>
      <SenderState record={record} className="block max-w-40 truncate" />
    </>
  ),
};
const name: ViewColumn = {
  head: "Name",
  look: "w-2/5 max-w-0 min-[700px]:min-w-40 max-[700px]:w-full max-[700px]:whitespace-normal max-[700px]:py-2",
  cell: (record) => <Name record={record} />,
};
const id: ViewColumn = { head: "ID", cell: (record) => <ResourceId id={record.id} /> };
const time = (head: string, at: (record: ViewRecord) => string | null) => timeColumn(head, at, EMPTY);
const lastEvent = time(LAST_EVENT, ({ lastEventAt }) => lastEventAt);
const line = (head: string, lineOf: (record: ViewRecord) => string | null, width = "max-w-32"): ViewColumn => ({
  head,
  look: `truncate text-muted ${width}`,
  title: (record) => lineOf(record) || undefined,
  cell: (record) => {
    const shown = lineOf(record);
    return shown === null ? EMPTY : <bdi className="relative z-1">{shown}</bdi>;
  },
});
const text = (head: string, field: string) => line(head, (record) => fieldLine(record, field));
const number = (head: string, words: (record: ViewRecord) => string | null): ViewColumn => ({
  head,
  align: "right",
  look: "text-muted tabular-nums",
  cell: (record) => words(record) ?? EMPTY,
});
const link = (head: string, kind: ViewKind, field: string): ViewColumn => ({
  head,
  look: "max-w-48",
  cell: (record) => {
    const id = fieldId(record, field);
    return id === null ? EMPTY : <ResourceName resource={{ id, name: record.names?.[`${kind}:${id}`] }} href={viewHref(kind, id)} />;
  },
});
const children = (head: string, counted: (states: Record<string, number>) => number) =>
  number(head, ({ childStates }) => (childStates ? String(counted(childStates)) : null));
const pages = number("Pages", (record) => fieldLine(record, "pages"));
const assigneeOf = (record: ViewRecord) => fieldLine(record, "assignee") ?? fieldLine(record, "team");
/** To the letter, unlike what is shown. */
function assigneeToFind({ fields }: ViewRecord): string | null {
  const value = fields.assignee?.value || fields.team?.value;
  return typeof value === "string" ? value : null;
}
const assignee: ViewColumn = {
  ...line("Assignee or team", assigneeOf),
  cell: (record) => {
    const name = assigneeOf(record);
    if (name === null) return EMPTY;
    return (
      <TextLink href={`/tasks?assignee=${encodeURIComponent(assigneeToFind(record) ?? name)}`} className="relative z-1">
        <bdi>{name}</bdi>
      </TextLink>
    );
  },
};

const total = (states: Record<string, number>) => Object.values(states).reduce((sum, count) => sum + count, 0);
const stages = (record: ViewRecord) => Object.keys(record.fields).filter((field) => field.startsWith("stage:")).length;

const COLUMNS: Record<ViewKind, readonly ViewColumn[]> = {
  document: [state, name, id, text("Organization", "organizationId"), pages, lastEvent],
  task: [
    state,
    name,
    assignee,
    { head: "Classification", look: "max-w-52", cell: (record) => <Classification record={record} /> },
    link("Pipeline", "pipeline", "pipelineId"),
    text("Stage", "stage"),
    link("Document", "document", "documentId"),
    lastEvent,
  ],
  pipeline: [
    name,
    id,
    number("Stages", (record) => String(stages(record))),
    children("Active", (states) => total(states) - (states.completed ?? 0)),
    children("Completed", (states) => states.completed ?? 0),
    time("Last moved", (record) => fieldTime(record, "lastMovedAt")),
  ],
  automation: [
    state,
    name,
    id,
    children("Runs", total),
    children("Failed runs", (states) => states.error ?? 0),
    time("Last triggered", (record) => fieldTime(record, "lastTriggeredAt")),
    lastEvent,
  ],
  run: [
    state,
    {
      head: "Run",
      cell: ({ kind, id }) => (
        <RowLink href={viewHref(kind, id)}>
          <ResourceId id={id} inert />
        </RowLink>
      ),
    },
    time("Started", (record) => fieldTime(record, "startedAt")),
    number("Duration", tookWords),
    line("Error", (record) => fieldLine(record, "errorMessage") ?? fieldLine(record, "errorCode"), "max-w-64"),
  ],
  integration: [
    state,
    name,
    id,
    line("Account", (record) => fieldLine(record, "account"), "max-w-64"),
    time("Token refreshed", (record) => fieldTime(record, "lastRefreshAt")),
    time("Last error", (record) => fieldTime(record, "lastErrorAt")),
    lastEvent,
  ],
  record: [state, name, text("Kind", "kind"), text("ID", "recordId"), text("Source", "source"), lastEvent],
};

const OF_SEVERAL_SOURCES: readonly ViewColumn[] = [state, name, id, text("Source", "source"), pages, lastEvent];

function tookWords(run: ViewRecord): string | null {
  const ms = runDuration(run);
  return ms === null ? null : durationWords(ms);
}

type Of = { record: ViewRecord };

/** The sender's own word for the state, where it is another platform's document. */
export function SenderState({ record, className = "" }: Of & { className?: string }) {
  const word = record.fields.senderState?.value;
  return typeof word === "string" ? (
    <span className={`text-12 text-faint ${className}`} title={`The sender's word: ${visible(word)}`}>
      <bdi>{visible(word)}</bdi>
    </span>
  ) : null;
}

/** Links the row by name, or by "Unnamed" with the ID if no column has the ID. */
function Name({ record }: Of) {
  const named = record.label !== record.id;
  return (
    <RowLink
      href={viewHref(record.kind, record.id)}
      className="block truncate max-[700px]:line-clamp-2 max-[700px]:whitespace-normal max-[700px]:break-words"
    >
      {named ? (
        <bdi title={visible(record.label)}>{visible(record.label)}</bdi>
      ) : (
        <span className="whitespace-nowrap font-normal text-muted">
          Unnamed {KIND_WORDS[record.kind].one}
          <ResourceId
            id={record.id}
            inert
            className={`ml-2 max-[700px]:ml-0 max-[700px]:block ${record.kind === "task" ? "" : "min-[700px]:hidden"}`}
          />
        </span>
      )}
    </RowLink>
  );
}

function Classification({ record }: Of) {
  const { classification, confidence } = record.fields;
  const share = shareWords(confidence?.value);
  const word = classification?.value;
  if (word === undefined) return EMPTY;
  return (
    <span className="flex items-baseline gap-1.5">
      <span className="relative z-1 truncate text-muted" title={visible(String(word))}>
        <bdi>{visible(typeof word === "string" ? word : writeJson(word))}</bdi>
      </span>
      {share === null ? null : <span className="shrink-0 text-12 text-faint">{share}</span>}
    </span>
  );
}
