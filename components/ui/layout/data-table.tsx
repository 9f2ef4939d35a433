import { ArrowDown, ArrowUp } from "lucide-react";
import { type HTMLAttributes, memo, type ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import { RelativeTime } from "#components/ui/relative-time";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "./table.tsx";

/** A column is declared once: its head, and what the cell of each row shows. */
export type Column<Item> = {
  head: string;
  /** What stands in the head in place of its name. */
  shown?: ReactNode;
  cell: (item: Item) => ReactNode;
  align?: "right";
  /** Classes of head and cells, such as those that hide the column on a narrow screen. */
  className?: string;
  headLook?: string;
  look?: string | ((item: Item) => string);
  title?: (item: Item) => string | undefined;
  /** The rows can be ordered by it. */
  sorts?: true;
};

type Order = { now: "asc" | "desc"; onChange: (order: "asc" | "desc") => void };

type DataTableProps<Item> = {
  label: string;
  wide?: boolean;
  /** The head scrolls away with its rows, in a table beside others. */
  scrolls?: boolean;
  className?: string;
  columns: readonly (Column<Item> | false)[];
  rows: readonly Item[];
  keyOf: (item: Item) => string;
  order?: Order | undefined;
  body?: HTMLAttributes<HTMLTableSectionElement>;
};

/** Renders a table by its columns. Only rows whose item has changed are rendered again, as long as the columns are the same. */
export function DataTable<Item>({ columns, rows, keyOf, body, order, scrolls = false, ...table }: DataTableProps<Item>) {
  return (
    <Table {...table}>
      <TableHead>{columns.map((column) => column && <Head key={column.head} column={column} order={order} scrolls={scrolls} />)}</TableHead>
      <TableBody {...body}>
        {rows.map((item) => (
          <DataRow key={keyOf(item)} item={item} columns={columns} />
        ))}
      </TableBody>
    </Table>
  );
}

type HeadProps<Item> = Pick<DataTableProps<Item>, "order"> & { column: Column<Item>; scrolls: boolean };

function Head<Item>({ column: { head, shown = head, align, sorts, className, headLook }, order, scrolls }: HeadProps<Item>) {
  const sorted = sorts && order && (order.now === "desc" ? "descending" : "ascending");
  return (
    <HeadCell align={align} aria-sort={sorted} className={cn(className, headLook, scrolls && "static")}>
      {sorted ? <SortButton head={head} {...order} /> : shown}
    </HeadCell>
  );
}

function SortButton({ head, now, onChange }: Order & { head: string }) {
  const Arrow = now === "desc" ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      title={now === "desc" ? "Newest first" : "Oldest first"}
      className="inline-flex items-center gap-1 rounded-sm hover:text-text"
      onClick={() => onChange(now === "desc" ? "asc" : "desc")}
    >
      {head}
      <Arrow aria-hidden className="size-3" />
    </button>
  );
}

type DataRowProps<Item> = { item: Item; columns: DataTableProps<Item>["columns"] };

const DataRow = memo(function DataRow<Item>({ item, columns }: DataRowProps<Item>) {
  return <Row>{columns.map((column) => column && <DataCell key={column.head} item={item} column={column} />)}</Row>;
}) as <Item>(props: DataRowProps<Item>) => ReactNode;

function DataCell<Item>({ item, column: { cell, align, title, className = "", look = "" } }: { item: Item; column: Column<Item> }) {
  return (
    <Cell align={align} title={title?.(item)} className={cn(className, typeof look === "string" ? look : look(item))}>
      {cell(item)}
    </Cell>
  );
}

/** As wide as its widest badge: no column moves when a state changes. */
export const STATE = { head: "State", headLook: "rail:min-w-28" };

export const ACTIONS = { head: "Actions", shown: <span className="sr-only">Actions</span>, align: "right" } as const;

/** Text of one line, cut at the column's width; whole on hover. */
export const textColumn = <Item,>(head: string, words: (item: Item) => string, look: string): Column<Item> => ({
  head,
  look: `max-w-0 truncate ${look}`,
  title: words,
  cell: words,
});

export const numberColumn = <Item,>(head: string, cell: (item: Item) => ReactNode, look = "", className = ""): Column<Item> => ({
  head,
  align: "right",
  className,
  look: `tabular-nums ${look}`,
  cell,
});

/** `never`: what stands where there is no time. */
export const timeColumn = <Item,>(
  head: string,
  at: (item: Item) => string | null,
  never: ReactNode = "",
  className = "",
): Column<Item> => ({
  head,
  align: "right",
  className,
  look: "text-muted",
  cell: (item) => {
    const time = at(item);
    return time === null ? never : <RelativeTime at={time} />;
  },
});
