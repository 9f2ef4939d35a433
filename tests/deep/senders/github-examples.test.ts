import { readFileSync } from "node:fs";
import path from "node:path";
import { sign } from "@octokit/webhooks-methods";
import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { isNumber, isObject, parseExact, writeJson } from "#lib/contracts/exact-json";
import { pool } from "#lib/db/pool";
import { IN_PART, termsOf } from "#lib/events/search/terms";
import { exportEvents } from "#lib/flows/events/export-events";
import { readEventValues } from "#lib/flows/events/payload-fields";
import { BatchFilters } from "#lib/forwarding/match-filter";
import { readPayload } from "#lib/platform/payload";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { payloadFilter } from "../../../packages/cli/src/listen.ts";

// Every payload of octokit/webhooks, which people who receive GitHub's webhooks have collected, as it was sent.

useDatabase();
const { makeSender } = useSenders(useNodeReceiver());

const FOLDER = path.join(import.meta.dirname, "libraries/node_modules/@octokit/webhooks-examples");
const SETS = ["api.github.com", "ghes-31", "ghes-32", "ghes-33", "ghes-34", "ghes-35"];
type Example = { name: string; body: string };

/** The same with IDs of 18 to 27 digits, which no double holds. */
const withLongIds = ({ name, body }: Example): Example => ({ name, body: body.replaceAll(/"id":(\d)/g, '"id":900719925474099300$1') });

const examplesOf = (set: string): Example[] =>
  (parseExact(readFileSync(path.join(FOLDER, set, "index.json"), "utf8")) as { name: string; examples: unknown[] }[]).flatMap(
    ({ name, examples }) => examples.map((example) => ({ name, body: writeJson(example) })),
  );

/** The first number of a payload that has a path of its own, with it; null for a payload without one. */
function numberOf(value: unknown, keys: string[] = []): { keys: string[]; text: string } | null {
  if (isNumber(value)) return { keys, text: String(value) };
  if (!isObject(value)) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = /^\w+$/.test(key) ? numberOf(part, [...keys, key]) : null;
    if (found) return found;
  }
  return null;
}

const filterOf = ({ keys, text }: { keys: string[]; text: string }) =>
  keys.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, text);

async function exported(workspaceId: Parameters<typeof exportEvents>[0]): Promise<Map<string, string>> {
  let text = "";
  for await (const piece of exportEvents(workspaceId, {}, "ndjson", new Date())) text += piece;
  const lines = text.trimEnd().split("\n");
  return new Map(lines.map((line) => JSON.parse(line) as { id: string; raw: string }).map(({ id, raw }) => [id, raw]));
}

it.each([
  ...SETS.map((set) => [set, examplesOf(set)] as const),
  ["api.github.com with long IDs", examplesOf("api.github.com").map(withLongIds)] as const,
])("every example of %s is stored, filtered, shown in columns and exported as it was sent", async (set, examples) => {
  const { workspaceId, secret, post } = await makeSender("github");
  const sent = new Map<string, Example>();
  for (const [at, example] of examples.entries()) {
    const id = `${set.replaceAll(" ", "-")}-${at}`;
    const headers = { "x-github-event": example.name, "x-github-delivery": id, "x-hub-signature-256": await sign(secret, example.body) };
    expect((await post(example.body, headers)).status).toBe(200);
    sent.set(id, example);
  }
  expect(sent.size).toBeGreaterThan(40);

  const { rows } = await pool().query<{ event_id: string; body: Buffer }>("SELECT event_id, body FROM events WHERE workspace_id = $1", [
    workspaceId,
  ]);
  expect(new Map(rows.map(({ event_id, body }) => [event_id, body.toString()]))).toEqual(
    new Map([...sent].map(([id, { body }]) => [id, body])),
  );
  expect(await exported(workspaceId)).toEqual(new Map([...sent].map(([id, { body }]) => [id, body])));

  let numbers = 0;
  for (const { event_id: id, body } of rows) {
    const payload = readPayload(body);
    if (!payload.ok) throw new Error(payload.detail);
    expect(writeJson(payload.value)).toBe(sent.get(id)?.body);
    const number = numberOf(payload.value);
    if (number === null) continue;
    numbers += 1;
    const filter = filterOf(number);
    expect(new BatchFilters(1).match({ id, filter: parseExact(filter) as Record<string, unknown> }, payload.value, body.length)).toBe(
      "matched",
    );
    const listened = { raw: body.toString(), rawBase64: null } as Parameters<ReturnType<typeof payloadFilter>>[0];
    expect(payloadFilter(filter)(listened)).toBe(true);
    const column = ["data", ...number.keys].join(".");
    const [shown] = await readEventValues(workspaceId, [id], [column]);
    expect(shown?.values[column]).toBe(number.text);
  }
  expect(numbers).toBeGreaterThan(40);
});

it("the search holds every example whole", () => {
  const examples = SETS.flatMap(examplesOf).filter(({ body }) => body.length <= 65_536);
  const event = { workspaceId: "ws_1" as WorkspaceId, eventId: "evt_1", type: "push" };
  const cut = examples.filter(({ body }) => termsOf({ ...event, data: parseExact(body) }).includes(IN_PART));
  expect(examples.length).toBeGreaterThan(700);
  expect(cut.map(({ name }) => name)).toEqual([]);
});
