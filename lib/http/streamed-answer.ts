import { once } from "#lib/context/once";
import { metrics } from "#lib/observability/metrics";

/** One frame of a server-sent event stream (HTML living standard, section 9.2). */
export type StreamFrame = { event: string; data: unknown; id?: string };

/** Returns the open streams, for shutdown to close: Next would wait for them forever. */
export const openStreams = (): Set<() => void> => once("open-streams", () => new Set());

/** Bytes. A client with this much unread is dropped, and resumes where it was. */
const MAX_UNREAD = 1_048_576;
/** Characters gathered in one turn of the event loop: each piece is a write to the socket. */
const MAX_GATHERED = 65_536;
/** Keeps proxies from closing the connection; a client that gets nothing for longer knows that it is dead. */
const ALIVE_MS = 15_000;
/** Browser code never sees a comment: a client that shows the connection's state gets an event without content. */
const ALIVE = { drop: "event: alive\ndata: {}\n\n", wait: ": still here\n\n" } as const;

/** Ends when the client leaves, the generator ends or the process shuts down. A slow client is dropped, or makes the generator wait. */
export function eventStream(
  request: Request,
  frames: (signal: AbortSignal) => AsyncIterable<StreamFrame>,
  whenSlow: "drop" | "wait" = "drop",
): Response {
  let read = () => {};
  const abort = new AbortController();
  const end = () => abort.abort();
  request.signal.addEventListener("abort", end, { once: true });
  openStreams().add(end);
  metrics().openFeeds.set(openStreams().size);
  const encoder = new TextEncoder();
  const room = () =>
    new Promise<void>((resolve) => {
      read = resolve;
      abort.signal.addEventListener("abort", () => resolve(), { once: true });
    });
  const body = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        let gathered = "";
        const flush = () => {
          if (gathered === "" || abort.signal.aborted) return;
          controller.enqueue(encoder.encode(gathered));
          gathered = "";
        };
        const send = (text: string) => {
          if (abort.signal.aborted) return;
          if (whenSlow === "drop" && isFull(controller)) return end();
          if (gathered === "") setImmediate(flush);
          gathered += text;
          // A generator that waits for the reader checks after each frame whether there is room.
          if (whenSlow === "wait" || gathered.length > MAX_GATHERED) flush();
        };
        const alive = setInterval(() => !(whenSlow === "wait" && isFull(controller)) && send(ALIVE[whenSlow]), ALIVE_MS);
        // Runs apart from the stream: start() must return for the headers to leave.
        void (async () => {
          try {
            send("retry: 2000\n\n");
            for await (const frame of frames(abort.signal)) {
              send(encode(frame));
              while (whenSlow === "wait" && isFull(controller) && !abort.signal.aborted) await room();
              if (abort.signal.aborted) break;
            }
          } catch {
            // The client reconnects and resumes; the cause was logged where it arose.
          } finally {
            flush();
            clearInterval(alive);
            openStreams().delete(end);
            metrics().openFeeds.set(openStreams().size);
            abort.abort();
            try {
              controller.close();
            } catch {
              // the client has closed it already
            }
          }
        })();
      },
      pull: () => read(),
      cancel: end,
    },
    { highWaterMark: MAX_UNREAD, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store, no-transform", "x-accel-buffering": "no" },
  });
}

const isFull = (controller: ReadableStreamDefaultController) => (controller.desiredSize ?? 0) <= 0;

/** Feeds read together send the same objects: each is serialized once. */
const written = new WeakMap<object, string>();

function encode({ event, data, id }: StreamFrame): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${write(data)}\n\n`;
}

function write(data: unknown): string {
  if (typeof data !== "object" || data === null) return JSON.stringify(data);
  const known = written.get(data) ?? JSON.stringify(data);
  written.set(data, known);
  return known;
}

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

export type SavedText = { text: string; mediaType: string; fileName: string };

/** Answers a text to save as a file. */
export const savedText = ({ text, mediaType, fileName }: SavedText): Response =>
  new Response(text, {
    headers: {
      "content-type": `${mediaType}; charset=utf-8`,
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });

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
