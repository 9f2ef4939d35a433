import { textStream } from "./text-stream.ts";

export type ExportFormat = "csv" | "ndjson";

const TYPES = { ndjson: "application/x-ndjson; charset=utf-8", csv: "text/csv; charset=utf-8; header=present" };

/** Format of rows: the columns of a CSV file, in order, and a row's object in NDJSON. */
export type ExportColumns<Row> = {
  csv: readonly (readonly [name: string, read: (row: Row) => string | number])[];
  json: (row: Row) => unknown;
};

/**
 * Rows as the text of a file, a part at a time; the next part is read when the one before was taken. The head of a CSV
 * file comes with the first rows: what fails before there are any fails before the answer begins.
 */
export async function* exportText<Row>(
  format: ExportFormat,
  columns: ExportColumns<Row>,
  parts: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const write =
    format === "csv" ? (row: Row) => csvLine(columns.csv.map(([, read]) => read(row))) : (row: Row) => jsonLine(columns.json(row));
  let head = format === "csv" ? csvLine(columns.csv.map(([name]) => name)) : "";
  for await (const rows of parts) {
    const text = head + rows.map(write).join("");
    if (text === "") continue;
    yield text;
    head = "";
  }
  if (head !== "") yield head;
}

/**
 * Answers a file to save, streamed. An error before its first part is still an error of the request: a problem.
 *
 * @param name without its ending
 */
export const exportResponse = (pieces: AsyncGenerator<string>, format: ExportFormat, name: string): Promise<Response> =>
  textStream(pieces, { type: TYPES[format], fileName: `${name}.${format}` });

/** The name of a file that is saved, without its ending: what is in it, and when it was asked for (UTC). */
export const exportFileName = (what: string, at: Date): string =>
  `signalbox-${what}-${at.toISOString().slice(0, 19).replaceAll(/[:T]/g, "-")}`;

const jsonLine = (value: unknown) => `${JSON.stringify(value)}\n`;
const csvLine = (values: readonly (string | number)[]) => `${values.map(csvCell).join(",")}\r\n`;

/**
 * Places where a spreadsheet may take text for a formula: at the beginning of a cell, and, where its locale separates by another
 * character than ours, behind each of those, which no quotation mark keeps together. Full-width signs are read like the others.
 */
const FORMULA = /^(?=[\t\r])|(^|[;\t\r\n])(?=[^\S\t\r\n]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** RFC 4180; what a spreadsheet would run as a formula gets an apostrophe in front: much of it is other people's text. */
function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = value.replace(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
