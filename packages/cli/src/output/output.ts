import { printable, printableLines } from "../../../../lib/contracts/api/plain-text.ts";
import { writeJson } from "../../../../lib/contracts/json/exact-json.ts";
import { type Paint, painted, painter, wantsColor } from "./color.ts";

export const FORMATS = ["pretty", "ndjson", "quiet"] as const;
export type Format = (typeof FORMATS)[number];

/** Data goes to standard output, everything else to standard error. */
export type Output = {
  format: Format;
  /** One value: a line of JSON with `ndjson`, its `id` with `quiet`, else `pretty`. */
  item: (value: object, pretty: (paint: Paint) => string, id?: string) => void;
  table: <T extends object>(rows: readonly T[], columns: Column<T>[], idOf: (row: T) => string) => void;
  /** Progress messages; not with `quiet`. */
  note: (text: string) => void;
  /** Messages that are shown in every format. */
  warn: (text: string) => void;
  paint: Paint;
};

export type Column<T> = { title: string; value: (row: T) => string; color?: (row: T) => Parameters<Paint>[0] | undefined };

export function processOutput(format: Format, refuseColor: boolean): Output {
  const paint = painter(wantsColor(process.stdout, refuseColor));
  const paintNote = painter(wantsColor(process.stderr, refuseColor));
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const item: Output["item"] = (value, pretty, id) => {
    if (format === "ndjson") print(writeJson(value));
    else if (format === "pretty") print(painted(pretty(paint)));
    else if (id !== undefined) print(printableLines(id));
  };
  return {
    format,
    paint,
    item,
    table: (rows, columns, idOf) => {
      if (format !== "pretty") for (const row of rows) item(row, () => "", idOf(row));
      else for (const line of tableLines(rows, columns, paint, process.stdout.columns)) print(line);
    },
    note: (text) => void (format !== "quiet" && process.stderr.write(`${printable(text)}\n`)),
    warn: (text) => void process.stderr.write(`${paintNote("yellow", "!")} ${printable(text)}\n`),
  };
}

/** Columns are as wide as their widest cell; on a terminal the last one is cut at the edge. */
export function tableLines<T>(rows: readonly T[], columns: Column<T>[], paint: Paint, width: number | undefined): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => columns.map(({ value }) => printable(value(row).replaceAll("\n", " "))));
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const layOut = (line: string[], color: (at: number, text: string) => string) => {
    let left = width ?? Number.POSITIVE_INFINITY;
    return line
      .map((text, at) => {
        const shown = at === line.length - 1 ? text.slice(0, Math.max(left, 8)) : text.padEnd((widths[at] ?? 0) + 2);
        left -= shown.length;
        return color(at, shown);
      })
      .join("");
  };
  const head = layOut(
    columns.map(({ title }) => title),
    (_, text) => paint("dim", text),
  );
  const body = rows.map((row, index) =>
    layOut(cells[index] ?? [], (at, text) => {
      const color = columns[at]?.color?.(row);
      return color ? paint(color, text) : text;
    }),
  );
  return [head, ...body].map((line) => line.trimEnd());
}
