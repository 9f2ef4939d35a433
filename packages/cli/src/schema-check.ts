import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { printable } from "../../../lib/contracts/api/plain-text.ts";
import type { EventPlace, EventTypeDetail, EventTypeItem } from "../../../lib/contracts/event-types.ts";
import { isObject, parseExact } from "../../../lib/contracts/exact-json.ts";
import { countWords, formatNumber } from "../../../lib/contracts/format-count.ts";
import { differencesOf, isUndocumented, type SchemaDifference, violationsOf } from "../../../lib/contracts/schemas/differences.ts";
import { schemaId } from "../../../lib/contracts/schemas/field-schema.ts";
import { readPayload } from "../../../lib/platform/payload.ts";
import type { Api } from "./api-client.ts";
import type { Session } from "./commands/session.ts";
import { bodyOf } from "./events.ts";
import { CliError, EXIT } from "./exit.ts";
import { junitFile } from "./junit.ts";
import { readSchemas, type SchemaFile } from "./schema-files.ts";
import type { Paint } from "./terminal.ts";
import { writeFile } from "./types.ts";

export type CheckOptions = { dir: string; from?: string; junit?: string };

/** `events` null: none of this type was received. */
type Checked = { schema: SchemaFile; events: number | null; differences: SchemaDifference[] };

/** Compares schemas with what was observed, or with the events of an export. Exit code 1 if something differs. */
export async function checkSchemas(session: Session, { dir, from, junit }: CheckOptions): Promise<void> {
  const { output } = session;
  const since = performance.now();
  const schemas = readSchemas(session, dir);
  const checked = from === undefined ? await checkObserved(session.api(), schemas) : await checkExport(session, schemas, from);
  const seconds = (performance.now() - since) / 1000;
  for (const each of checked) print(session, each);
  if (junit !== undefined) writeFile(junit, junitFile(`schemas in ${dir}`, checked.map(caseOf), seconds));
  const differing = checked.filter(({ differences }) => differences.length > 0).length;
  const unseen = checked.filter(({ events }) => events === null).length;
  const verdict = differing === 0 ? "events are as they say" : `${differing} not as events are`;
  const compared = unseen === schemas.length ? "nothing to compare" : verdict;
  output.note(`${countWords(schemas.length, "schema")}: ${compared}${unseen > 0 ? `, ${unseen} without events` : ""}.`);
  if (differing > 0) process.exitCode = EXIT.failed;
}

async function checkObserved(api: Api, schemas: SchemaFile[]): Promise<Checked[]> {
  const { data } = await api.get<{ data: EventTypeItem[] }>("/api/v1/event-types");
  const ids = new Map(
    data.flatMap(({ id, source, type, variant }) =>
      id === null || source === null ? [] : [[schemaId({ source, type, variant }), id] as const],
    ),
  );
  const checked: Checked[] = [];
  for (const schema of schemas) {
    const id = ids.get(schemaId(schema.owner));
    const detail = id === undefined ? null : await api.get<EventTypeDetail>(`/api/v1/event-types/${encodeURIComponent(id)}`);
    const differences = detail ? differencesOf(schema.schema, detail.tree).filter((each) => !isUndocumented(each)) : [];
    checked.push({ schema, events: detail?.events || null, differences: differences.map((each) => withDrift(each, detail)) });
  }
  return checked;
}

/** Of a field that was absent, the drift knows the first event. */
const withDrift = (difference: SchemaDifference, detail: EventTypeDetail | null): SchemaDifference => ({
  ...difference,
  firstEvent: difference.firstEvent ?? detail?.drifts.find(({ path }) => path === difference.path)?.firstEvent ?? null,
});

/** Events of one schema, by what they violate. */
class Tally {
  events = 0;
  private readonly found = new Map<string, SchemaDifference>();

  add(data: unknown, schema: SchemaFile, event: EventPlace): void {
    this.events += 1;
    const own = new Set<string>();
    for (const violation of violationsOf(schema.schema, data)) {
      const key = JSON.stringify([violation.path, violation.expected, violation.observed]);
      if (own.has(key)) continue;
      own.add(key);
      const known = this.found.get(key);
      // An export has the newest events first.
      if (known) this.found.set(key, { ...known, count: known.count + 1, firstEvent: earlier(known.firstEvent, event) });
      else this.found.set(key, { ...violation, count: 1, firstEvent: event });
    }
  }

  differences(): SchemaDifference[] {
    return [...this.found.values()];
  }
}

const earlier = (a: EventPlace | null, b: EventPlace): EventPlace => (a && a.at < b.at ? a : b);

type ExportedLine = {
  id: string;
  type: string;
  source: string;
  receivedAt: string;
  signatureForm?: string;
  raw: string | null;
  rawBase64: string | null;
};

async function checkExport({ output }: Session, schemas: SchemaFile[], file: string): Promise<Checked[]> {
  // Variants of a type are not told apart here: an event may fit any of them.
  const typeId = ({ source, type }: { source: string; type: string }) => schemaId({ source, type, variant: null });
  const tallies = new Map(schemas.map((schema) => [schema, new Tally()]));
  let [passed, fetched] = [0, 0];
  for await (const event of linesOf(file)) {
    if (event.signatureForm === "fetched") {
      fetched += 1;
      continue;
    }
    const candidates = schemas.filter(({ owner }) => typeId(owner) === typeId(event));
    if (candidates.length === 0) passed += 1;
    const payload = readPayload(bodyOf(event));
    const judged = candidates.map((schema) => {
      const data = payload.ok ? dataAt(payload.value, schema.dataPath) : undefined;
      return { schema, data, violations: [...violationsOf(schema.schema, data)].length };
    });
    const [best] = judged.sort((a, b) => a.violations - b.violations);
    if (best) tallies.get(best.schema)?.add(best.data, best.schema, { id: event.id, at: event.receivedAt });
  }
  if (fetched > 0) output.note(`${countWords(fetched, "event")} fetched instead of received: a list API shapes bodies in its own way.`);
  if (passed > 0) output.note(`${countWords(passed, "event")} of types without a schema.`);
  return schemas.map((schema) => {
    const tally = tallies.get(schema);
    return { schema, events: tally?.events || null, differences: tally?.differences() ?? [] };
  });
}

async function* linesOf(file: string): AsyncGenerator<ExportedLine> {
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      if (line.trim() === "") continue;
      const event = parseExact(line);
      if (!isObject(event) || typeof event.type !== "string" || typeof event.source !== "string") throw new SyntaxError("it is no event");
      yield event as ExportedLine;
    }
  } catch (error) {
    const where = error instanceof SyntaxError ? `line ${number} ` : "";
    throw new CliError(`${file} can't be read: ${where}${(error as Error).message}`, {
      hint: "It has to be an export in the format NDJSON: Events > Export, or GET /api/v1/events/export.",
    });
  }
}

/** As the log reads it: what is not there is the body, and what is no object stands in `value`. */
function dataAt(body: unknown, path: string | null): unknown {
  const keys = path === null ? [] : path.split(".");
  const found = keys.reduce<unknown>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), body) ?? body;
  return isObject(found) ? found : { value: found };
}

function print({ output }: Session, { schema, events, differences }: Checked): void {
  const { source, type, variant } = schema.owner;
  const name = `${source}/${type}${variant === null ? "" : ` (${variant})`}`;
  if (events === null) output.note(unseenWords(name));
  for (const difference of differences)
    output.item(
      { source, type, variant, file: schema.file, ...difference },
      (paint) => `${paint("red", "✗")} ${name}  ${lineOf(difference, paint)}`,
      `${name} ${difference.path}`,
    );
}

function lineOf({ path, expected, observed, firstEvent, count }: SchemaDifference, paint: Paint): string {
  const first = firstEvent ? `, first event ${firstEvent.id}` : "";
  return `${paint("bold", printable(path))}: expected ${printable(expected)}, observed ${printable(observed)}${printable(first)}, count ${formatNumber(count)}`;
}

const plain: Paint = (_color, text) => text;

const unseenWords = (name: string) => `No event of ${name} was received.`;

function caseOf({ schema: { owner }, events, differences }: Checked) {
  const { source, type, variant } = owner;
  const named = { classname: source, name: variant === null ? type : `${type} (${variant})`, seconds: 0 };
  if (events === null) return { ...named, skipped: unseenWords(named.name) };
  const lines = differences.map((each) => lineOf(each, plain));
  const [message] = lines;
  return message === undefined ? named : { ...named, failure: { type: "schema", message, text: lines.join("\n") } };
}
