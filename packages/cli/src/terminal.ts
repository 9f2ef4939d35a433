import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { printable, printableLines } from "../../../lib/contracts/api/plain-text.ts";
import { writeJson } from "../../../lib/contracts/exact-json.ts";
import { environment } from "./environment.ts";
import { CliError, EXIT } from "./exit.ts";

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
function tableLines<T>(rows: readonly T[], columns: Column<T>[], paint: Paint, width: number | undefined): string[] {
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
  const titles = columns.map(({ title }) => title);
  const head = layOut(titles, (_, text) => paint("dim", text));
  const body = rows.map((row, index) =>
    layOut(cells[index] ?? [], (at, text) => {
      const color = columns[at]?.color?.(row);
      return color ? paint(color, text) : text;
    }),
  );
  return [head, ...body].map((line) => line.trimEnd());
}

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;
export type Color = keyof typeof CODES;
export type Paint = (color: Color, text: string) => string;

type Stream = { isTTY?: boolean | undefined };

/** True for a terminal without NO_COLOR (https://no-color.org), `--no-color` and TERM=dumb. */
function wantsColor(stream: Stream, refused = false): boolean {
  if (refused || environment.NO_COLOR || environment.TERM === "dumb") return false;
  return stream.isTTY === true;
}

const painter = (on: boolean): Paint =>
  on ? (color, text) => `\u001b[${CODES[color][0]}m${text}\u001b[${CODES[color][1]}m` : (_, text) => text;

const OWN_COLORS = new RegExp(`(\u001b\\[(?:${[...new Set(Object.values(CODES).flat())].join("|")})m)`);

/** Makes text of others printable and keeps our own colors. */
const painted = (text: string): string =>
  text
    .split(OWN_COLORS)
    .map((part, at) => (at % 2 === 1 ? part : printableLines(part)))
    .join("");

/** Asks on standard error. @throws CliError if the user presses Ctrl-C or Ctrl-D */
export function ask(question: string, { hidden = false } = {}): Promise<string> {
  // readline echoes what is typed: for a secret, nowhere.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  // Written once the terminal no longer echoes: a key pasted at once must not be shown.
  if (hidden) process.stderr.write(question);
  return new Promise((resolve, reject) => {
    let answer: string | undefined;
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => {
      if (hidden || answer === undefined) process.stderr.write("\n");
      if (answer === undefined) reject(new CliError("Stopped: no answer was given."));
      else resolve(answer);
    });
    lines.question(hidden ? "" : question, (line) => {
      answer = line.trim();
      lines.close();
    });
  });
}

let isNeeded = true;

/** Lets a command that does more than print continue, with its exit code, even if nobody reads its output. */
export function goOnUnread(): void {
  isNeeded = false;
}

/** Exits quietly when a reader such as `| head -1` has seen enough. */
export function watchReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (isNeeded) process.exit(EXIT.fine);
    });
  }
}
