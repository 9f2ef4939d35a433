import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it } from "vitest";
import { VolumeChart } from "#components/events/list/volume-chart";
import { NothingMatches } from "#components/ui/layout/content-states";
import { EVENT_TOOLS } from "#lib/assistants/tools";
import { volumeQuery } from "#lib/client/queries/event-volume";
import { type EventFilter, hasTimeRange } from "#lib/contracts/events/event-filters";
import { useDatabase } from "#tests/support/database";
import { type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { fileAll } from "#tests/support/log-writer";
import { callRoute } from "#tests/support/routes";

// Filters that were taken, and meant everything, nothing or an error: seen on a running installation.

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1" });
let world: ExampleWorld;

beforeAll(async () => {
  world = await makeExampleWorld();
  await fileAll();
});

// biome-ignore lint/suspicious/noExplicitAny: the answers of many routes.
type Answer = { status: number; body: any };

async function call(method: string, route: string, input: { query?: Record<string, string>; body?: object }): Promise<Answer> {
  const answer = await callRoute(method, `api/v1/${route}`, { cookie: world.cookie, origin: "http://localhost:3000" }, input);
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") && !text.includes("\n") ? JSON.parse(text) : text };
}
const get = (route: string, query: Record<string, string>) => call("GET", route, { query });
const post = (route: string, body: object) => call("POST", route, { body });

describe("text in which there is nothing to look for", () => {
  it.each(["***", "!!!", "---", ":", '""', "👀", "\ufffd", "\u200b"])(
    "finds nothing and says so, and nothing is done by it: %s",
    async (q) => {
      const list = await get("events", { q });
      expect(list.body).toMatchObject({ data: [], unknown: [{ filter: "q", said: q, nearest: null }] });
      expect(list.body.unknown[0].message).toContain("has no letters or digits to search for");
      const access = { consoleUrl: "", get: async () => list.body, post: async () => null };
      expect(JSON.stringify(await EVENT_TOOLS[0]?.call(access, { q }))).toContain("has no letters or digits to search for");
      expect((await get("events/volume", { q })).body).toMatchObject({ total: 0, precision: "exact" });
      for (const { status, body } of [
        await post("redeliveries", { filter: { q }, dryRun: true }),
        await post("events/exports", { filter: { q } }),
        await get("events/export", { q }),
        await post("saved-filters", { name: "all", page: "events", filter: { q: [q] } }),
      ])
        expect([status, body.detail]).toEqual([400, expect.stringMatching(/q: has no letters or digits to search for/)]);
    },
  );

  it.each(["", "   "])("is not blank text, which is no filter: %j", async (q) => {
    const all = (await get("events", {})).body.data.length;
    expect(all).toBeGreaterThan(0);
    expect((await get("events", { q })).body.data).toHaveLength(all);
    expect((await post("redeliveries", { filter: { q }, dryRun: true })).body.total).toBeGreaterThan(0);
  });
});

it.each<[string, Record<string, string[]>, string]>([
  ["events", { state: ["nope"] }, "filter.state: can't be nope. Use pending, processed, failed, unrecognised."],
  ["events", { state: ["failed", "nope"] }, "filter.state: can't be nope. Use pending, processed, failed, unrecognised."],
  ["events", { period: ["2h"] }, "filter.period: can't be 2h. Use 1h, 24h, 7d, 30d."],
  ["events", { from: ["yesterday"] }, "filter.from: must be an ISO 8601 time with a time zone"],
  ["events", { ip: ["here"] }, "filter.ip: must be an IP address or a network"],
  ["events", { repaired: ["maybe"] }, "filter.repaired: must be true or false."],
  ["issues", { status: ["open"] }, "filter.status: the list of issues can't be filtered by status, but by q, state, origin"],
])("a saved filter of %s with %j is told which of the two is wrong, and what is allowed", async (page, filter, words) => {
  const { status, body } = await post("saved-filters", { name: "x", page, filter });
  expect([status, body.detail]).toEqual([400, expect.stringContaining(words)]);
});

const EMPTY: [route: string, body: (filter: object) => object, filters: object[]][] = [
  ["redeliveries", (filter) => ({ filter, dryRun: true }), [{ state: [] }, { type: [] }, { issue: [] }, { type: "" }, { resource: "" }]],
  ["events/exports", (filter) => ({ filter }), [{ state: [] }, { type: [] }, { issue: "" }, { source: "" }, { connection: "" }]],
  ["quarantine/releases", (filter) => ({ filter, dryRun: true }), [{ ids: [] }, { source: "" }, { about: "" }]],
  ["quarantine/dismissals", (filter) => ({ filter }), [{ ids: [] }, { source: "" }]],
  ["missing-events/dismissals", (filter) => ({ filter }), [{ ids: [] }, { source: "" }, { resource: "" }]],
  ["missing-events/snoozes", (filter) => ({ filter, for: "1h" }), [{ ids: [] }, { resource: "" }]],
  ["missing-events/restorations", (filter) => ({ filter }), [{ dismissal: "" }]],
  ["quarantine/restorations", (filter) => ({ filter }), [{ dismissal: "" }]],
];

it.each(EMPTY)("%s takes no empty value of a filter: it would be of everything, or of nothing", async (route, body, filters) => {
  for (const filter of filters) {
    const { status, body: problem } = await post(route, body(filter));
    expect([filter, status, problem.code]).toEqual([filter, 400, "invalid_request"]);
    expect(problem.errors[0].path).toMatch(new RegExp(`^filter.${Object.keys(filter)[0]}`));
  }
});

it.each(["doc_example", "document:doc_example"])(
  "a missing event is found, and set aside, by its resource as events are: %s",
  async (resource) => {
    expect((await get("missing-events", { resource })).body.data).toMatchObject([{ id: "fnd_example" }]);
    for (const [route, more] of [
      ["dismissals", {}],
      ["snoozes", { for: "1h" }],
    ] as const) {
      const { body } = await post(`missing-events/${route}`, { filter: { resource }, ...more });
      expect([route, body.count]).toEqual([route, 1]);
      await post("missing-events/restorations", { filter: { dismissal: body.dismissal } });
    }
    expect((await get("missing-events", { resource: `task:${resource.split(":").at(-1)}` })).body.data).toEqual([]);
  },
);

it.each([
  ["data.nope:failed", null],
  ["data.tpye:document.processed", "type:document.processed"],
  ["data.tpye:nothing.at.all", null],
  ["resuorce:document:doc_example", "resource:document:doc_example"],
  ["data.documentIdd:doc_example", "data.documentId:doc_example"],
  ["data.documentIdd:zzz", "data.documentId:*"],
])("of a term that no event has only one that some event matches is proposed: %s", async (q, nearest) => {
  const { body } = await get("events", { q });
  expect(body.unknown).toMatchObject([{ said: q, nearest }]);
  if (nearest !== null) expect((await get("events", { q: nearest })).body.data.length).toBeGreaterThan(0);
});

it.each<[EventFilter, chart: string, list: string]>([
  [{ type: ["nothing"] }, "Nothing matches these filters.", "Remove a filter."],
  [{ type: ["nothing"], period: "24h" }, "No events in this time range.", "widen the time range"],
  [{ occurredTo: "2020-01-01T00:00:00Z" }, "No events in this time range.", "widen the time range"],
  [{}, "Nothing received yet.", ""],
])("a chart and a list without events name a time range only where one is set: %j", (filter, chart, list) => {
  const queries = new QueryClient();
  const none = { from: "", to: "", stepSeconds: 60, total: 0, precision: "exact" as const, by: "received" as const, bars: [] };
  queries.setQueryData(volumeQuery(filter).queryKey, none);
  const drawn = createElement(QueryClientProvider, { client: queries }, createElement(VolumeChart, { filter, onChange: () => undefined }));
  expect(renderToStaticMarkup(drawn)).toContain(chart);
  expect(renderToStaticMarkup(createElement(NothingMatches, { what: "events", timed: hasTimeRange(filter) }))).toContain(list);
});

it.each(["type", "state", "issue", "resource", "connection", "source", "q"])(
  "an empty %s= of a list is no filter, and none of an export",
  async (name) => {
    const all = (await get("events", {})).body.data.length;
    const { status, body } = await get("events", { [name]: "" });
    expect([status, body.data.length, body.unknown]).toEqual([200, all, undefined]);
    expect((await get("events/export", { [name]: "" })).status).toBe(name === "q" ? 200 : 400);
  },
);
