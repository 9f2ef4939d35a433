import { expect, it } from "vitest";
import { answerWith } from "#lib/assistants/define-tool";
import { comparePayloads } from "#lib/client/format/compare-payloads";
import { filterFor } from "#lib/client/format/payload-filter";
import { parseExact, writeJson } from "#lib/contracts/exact-json";
import { pool } from "#lib/db/pool";
import { exportEvents } from "#lib/flows/events/export-events";
import { readEventFields, readEventValues } from "#lib/flows/events/payload-fields";
import { readEvent } from "#lib/flows/events/read-event";
import { readDeliveries } from "#lib/flows/forwarding/read-deliveries";
import { previewFilter } from "#lib/flows/forwarding/test-destination";
import { readView } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { listInPages } from "#tests/support/event-pages";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { applyAll, makeDestination } from "#tests/support/forwarding/destinations";
import { fileAll } from "#tests/support/log-writer";
import { rebuild } from "#tests/support/rebuild";
import { useNodeReceiver } from "#tests/support/receivers";
import { callRoute } from "#tests/support/routes";
import { useSenders } from "#tests/support/sender-source";
import { payloadFilter } from "../../packages/cli/src/listen.ts";
import { compareAnswers } from "../../packages/cli/src/replay-report.ts";

// Numbers that a double does not hold, or writes in another way. webhooksite/webhook.site#76, opencollective/opencollective-api#12125

useDatabase();
const { makeSender } = useSenders(useNodeReceiver());

/** 2^60 and its neighbours are one double. */
const NEIGHBOURS = ["1152921504606846975", "1152921504606846976", "1152921504606846977"] as const;
const [, EVEN, ODD] = NEIGHBOURS;
const payload = (id: string) => `{"id":${id},"kind":"order","order":{"id":${id},"amount":1.10,"weight":1e400},"state":"open"}`;

/** A source whose events and records are identified by numbers, with an event of each neighbour. */
async function makeOrders(ids: readonly string[] = NEIGHBOURS) {
  const record = { kind: "order", id: "order.id", state: "state" };
  const made = await makeSender("github", { reading: { id: ["id"], type: ["kind"] }, records: "generic", record });
  for (const id of ids) expect((await made.send(payload(id))).status).toBe(200);
  return made;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

it("a numeric ID of 19 digits is the event's ID: its neighbours are other events, and its repeat is a duplicate", async () => {
  const { workspaceId, send } = await makeOrders();
  expect(await (await send(payload(ODD))).json()).toMatchObject({ duplicate: true });
  expect((await listInPages(workspaceId, {}, 10)).sort()).toEqual(NEIGHBOURS);
});

it("each of three neighbours makes its own record, with every digit, also after a rebuild", async () => {
  const { workspaceId, name } = await makeOrders();
  await applyAll();
  const read = async (id: string) => writeJson((await readView(workspaceId, "record", `${name}:order:${id}`, null))?.fields);
  for (const id of NEIGHBOURS) {
    expect(await read(id)).toContain('"data.order.amount":{"value":1.10,');
    // Written out it has 401 digits.
    expect(await read(id)).toContain('"data.order.weight":{"value":"1e400",');
    expect(await read(id)).toContain(`"data.id":{"value":${id},`);
  }
  expect(await rebuild(workspaceId)).toMatchObject({ different: 0, missing: 0, surplus: 0 });
});

it("a record that an earlier fold rounded is rebuilt to what was sent, also where only the spelling differs", async () => {
  const { workspaceId, name } = await makeOrders([ODD]);
  await applyAll();
  const id = `${name}:order:${ODD}`;
  await pool().query(`UPDATE views SET registers = jsonb_set(registers, '{data.order.amount,v}', '1.1') WHERE id = $1`, [id]);
  expect(await rebuild(workspaceId)).toMatchObject({ different: 1 });
  expect(writeJson((await readView(workspaceId, "record", id, null))?.fields)).toContain('"value":1.10,');
});

it("a filter takes the number that it names and no neighbour: forwarding, preview and listen", async () => {
  const { workspaceId, name } = await makeOrders();
  const filter = parseExact(`{"order":{"id":${ODD},"amount":1.1}}`) as Record<string, unknown>;
  const over = parseExact(`{"id":{"$gt":${EVEN}},"order":{"weight":{"$gt":1e399}}}`) as Record<string, unknown>;
  const made = [filter, over].map((each) =>
    makeDestination(workspaceId, { url: "https://example.com/hooks", name: writeJson(each).slice(0, 40), sources: [name], filter: each }),
  );
  const ids = (await Promise.all(made)).map(({ id }) => id).sort();
  await applyAll();
  const { data } = await readDeliveries(workspaceId, {}, { limit: 10 });
  expect(data.map(({ destination, event }) => `${event.id} ${destination.id}`).sort()).toEqual(ids.map((id) => `${ODD} ${id}`));
  expect(await previewFilter(workspaceId, { types: [], sources: [], filter }, new Date())).toMatchObject({ matching: 1, of: 3 });
  const isListened = payloadFilter(`{"order":{"id":${ODD},"amount":1.100}}`);
  const listened = (id: string) => ({ raw: payload(id), rawBase64: null }) as Parameters<typeof isListened>[0];
  expect(NEIGHBOURS.filter((id) => isListened(listened(id)))).toEqual([ODD]);
});

it("the search finds what it names, columns and fields show it as written, and the export gives the bytes", async () => {
  const { workspaceId, name } = await makeOrders();
  await applyAll();
  await fileAll();
  for (const q of [`data.order.id:${ODD}`, ODD]) expect(await listInPages(workspaceId, { q }, 10)).toEqual([ODD]);
  expect(await listInPages(workspaceId, { q: "data.order.amount:1.10" }, 10)).toHaveLength(3);
  const [values] = await readEventValues(workspaceId, [ODD], ["data.order.id", "data.order.amount", "data.order.weight"]);
  expect(values?.values).toEqual({ "data.order.id": ODD, "data.order.amount": "1.10", "data.order.weight": "1e400" });
  const fields = await readEventFields(workspaceId, new Date());
  expect(fields.find(({ path }) => path === "data.order.weight")?.values).toEqual(["1e400"]);
  expect(await readEventFields(workspaceId, new Date(), name)).toEqual(fields);
  expect(await readEventFields(workspaceId, new Date(), "another")).toEqual([]);
  const lines = (await textOf(exportEvents(workspaceId, {}, "ndjson", new Date()))).trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { raw: string }).raw).sort()).toEqual(NEIGHBOURS.map(payload));
});

it("an event that was filed by the hash of its body before is found by it", async () => {
  const { workspaceId, send } = await makeSender("github", { reading: { id: ["nowhere"], type: ["kind"] } });
  await send(payload(ODD));
  await applyAll();
  await fileAll();
  const [id = ""] = await listInPages(workspaceId, {}, 10);
  expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await listInPages(workspaceId, { q: id }, 10)).toEqual([id]);
  expect(await listInPages(workspaceId, { q: `data.order.id:${ODD}` }, 10)).toEqual([id]);
  expect((await readEvent(workspaceId, id))?.raw).toBe(payload(ODD));
});

it("the payload of an event is JSON numbers as they were written: API, assistants, tree, comparison of events and of answers", async () => {
  const { workspaceId } = await makeOrders();
  const [event, other] = await Promise.all([readEvent(workspaceId, ODD), readEvent(workspaceId, EVEN)]);
  expect(await Response.json(event).text()).toContain(`"envelope":${payload(ODD)}`);
  expect(answerWith("One event.", event?.envelope).content[1]?.text).toContain(payload(ODD));
  const read = parseExact(await Response.json(event).text()) as NonNullable<typeof event>;
  expect(filterFor(["data", "order", "id"], (read.envelope as { id: unknown }).id)).toBe(`data.order.id:${ODD}`);
  expect(comparePayloads(read.envelope, other?.envelope).flatMap(({ path, same }) => (same ? [] : [path]))).toEqual(["id", "order.id"]);
  expect(comparePayloads(parseExact("[1.10]"), parseExact("[1.1]"))).toMatchObject([{ same: true }]);
  const answer = (text: string) => ({ outcome: "answered", status: 200, body: Buffer.from(text) }) as Parameters<typeof compareAnswers>[0];
  expect(compareAnswers(answer(payload(ODD)), answer(payload(EVEN)), [])).toMatchObject([
    { first: ODD, second: EVEN },
    { path: "$.order.id" },
  ]);
  expect(compareAnswers(answer('{"a":1.10}'), answer('{"a":1.1}'), [])).toEqual([]);
});

it("a destination's filter is answered and recorded as it was asked for; other numbers of a request are numbers, however they are written", async () => {
  const world = await makeExampleWorld();
  const headers = { cookie: world.cookie, origin: "http://localhost:3000" };
  const filter = `{"data":{"id":{"$in":[${EVEN},${ODD},1.10]}}}`;
  const asked = `{"name":"Digits","url":"https://app.example.com/digits","rate":2.0,"filter":${filter}}`;
  const made = await callRoute("POST", "api/v1/destinations", headers, { body: parseExact(asked) });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const answer = async () => (await callRoute("GET", "api/v1/destinations/[id]", headers, { params: { id } })).text();
  expect(await answer()).toContain(`"filter":${filter}`);
  await callRoute("PATCH", "api/v1/destinations/[id]", headers, { params: { id }, body: parseExact(`{"filter":{"id":${ODD}}}`) });
  expect(await answer()).toContain(`"filter":{"id":${ODD}}`);
  const audit = await (await callRoute("GET", "api/v1/audit", headers)).text();
  expect(audit).toContain(`"filter":{"id":${ODD}}`);
  const tooLong = await callRoute("POST", "api/v1/destinations", headers, { body: parseExact(asked.replace("1.10", "1e100000")) });
  expect([tooLong.status, await tooLong.text()]).toEqual([400, expect.stringContaining("must be a number of at most 1000 digits")]);
  await clearWorlds();
});
