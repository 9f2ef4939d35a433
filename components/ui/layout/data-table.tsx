import { type ComponentProps, type HTMLAttributes, memo, type ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import { RelativeTime } from "#components/ui/relative-time";
import { visible } from "#lib/contracts/api/plain-text";
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
};

type DataTableProps<Item> = {
  label: string;
  wide?: boolean;
  /** The head scrolls away with its rows, in a table beside others. */
  scrolls?: boolean;
  className?: string;
  columns: readonly (Column<Item> | false)[];
  rows: readonly Item[];
  keyOf: (item: Item) => string;
  /** What the heads of some columns are besides, by their names. */
  heads?: Record<string, Pick<ComponentProps<"th">, "children" | "aria-sort">> | undefined;
  body?: HTMLAttributes<HTMLTableSectionElement>;
};

/** Renders a table by its columns. Only rows whose item has changed are rendered again, as long as the columns are the same. */
export function DataTable<Item>({ columns, rows, keyOf, body, heads, scrolls = false, ...table }: DataTableProps<Item>) {
  return (
    <Table {...table}>
      <TableHead>
        {columns.map(
          (column) =>
            column && (
              <HeadCell
                key={column.head}
                align={column.align}
                className={cn(column.className, column.headLook, scrolls && "static")}
                {...heads?.[column.head]}
              >
                {heads?.[column.head]?.children ?? column.shown ?? column.head}
              </HeadCell>
            ),
        )}
      </TableHead>
      <TableBody {...body}>
        {rows.map((item) => (
          <DataRow key={keyOf(item)} item={item} columns={columns} />
        ))}
      </TableBody>
    </Table>
  );
}

type DataRowProps<Item> = { item: Item; columns: DataTableProps<Item>["columns"] };

const DataRow = memo(function DataRow<Item>({ item, columns }: DataRowProps<Item>) {
  return (
    <Row>
      {columns.map(
        (column) =>
          column && (
            <Cell
              key={column.head}
              align={column.align}
              title={column.title?.(item)}
              className={cn(column.className, typeof column.look === "function" ? column.look(item) : column.look)}
            >
              {column.cell(item)}
            </Cell>
          ),
      )}
    </Row>
  );
}) as <Item>(props: DataRowProps<Item>) => ReactNode;

/** As wide as its widest badge: no column moves when a state changes. */
export const STATE = { head: "State", headLook: "rail:min-w-28" };

export const ACTIONS = { head: "Actions", shown: <span className="sr-only">Actions</span>, align: "right" } as const;

/** Text of one line, cut at the column's width; whole on hover. */
export const textColumn = <Item,>(head: string, words: (item: Item) => string, look: string): Column<Item> => ({
  head,
  look: `max-w-0 truncate ${look}`,
  title: (item) => visible(words(item)),
  cell: (item) => visible(words(item)),
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
