export type ExportFormat = "csv" | "ndjson";

const TYPES = { ndjson: "application/x-ndjson; charset=utf-8", csv: "text/csv; charset=utf-8; header=present" };

export type ExportColumns<Row> = {
  csv: readonly (readonly [name: string, read: (row: Row) => string | number])[];
  json: (row: Row) => unknown;
};

/** Writes rows as text. The CSV header comes with the first rows: an error before them fails before the answer begins. */
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

/** Streams a file to save. An error before its first part is answered as a problem. */
export const exportResponse = (pieces: AsyncGenerator<string>, format: ExportFormat, name: string): Promise<Response> =>
  textStream(pieces, { type: TYPES[format], fileName: `${name}.${format}` });

export const exportFileName = (what: string, at: Date): string =>
  `signalbox-${what}-${at.toISOString().slice(0, 19).replaceAll(/[:T]/g, "-")}`;

const jsonLine = (value: unknown) => `${JSON.stringify(value)}\n`;
const csvLine = (values: readonly (string | number)[]) => `${values.map(csvCell).join(",")}\r\n`;

/** Formulas at the start of a cell, or after a separator of the spreadsheet's locale, which quotation marks don't protect. */
const FORMULA = /^(?=[\t\r])|(^|[;\t\r\n])(?=[^\S\t\r\n]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Writes RFC 4180; a possible formula gets an apostrophe in front: much of it is other people's text. */
function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = value.replace(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Streams text: the next piece is requested when the reader has taken the last, and none after the reader has left. */
export async function textStream(
  pieces: AsyncGenerator<string>,
  { type, fileName }: { type: string; fileName: string },
): Promise<Response> {
  const encoder = new TextEncoder();
  // Read before the answer begins: an error is still an error of the request then.
  let first: IteratorResult<string> | null = await pieces.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await pieces.next());
        first = null;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store, no-transform",
    },
  });
}
