import { afterEach, expect, it } from "vitest";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { callEndpoint, callExample, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1", API_REQUESTS_PER_MINUTE: "1000000" });
afterEach(clearWorlds);

const listOf = async (route: string): Promise<DeclaredEndpoint> => {
  const found = (await listDeclared()).find((each) => each.route === `api/v1/${route}` && each.method === "GET");
  if (!found) throw new Error(`there is no GET /api/v1/${route}`);
  return found;
};

it.each([
  ["events", { stat: "failed" }, "Unknown parameter `stat`. Did you mean `state`?"],
  ["events", { status: "failed" }, "Unknown parameter `status`. Did you mean `state`?"],
  ["events", { Type: "document.error" }, "Unknown parameter `Type`. Did you mean `type`?"],
  ["events/export", { fromat: "csv" }, "Unknown parameter `fromat`. Did you mean `format`?"],
  ["documents/[id]", { asof: "2026-01-01" }, "Unknown parameter `asof`. Did you mean `asOf`?"],
  ["connections", { cursors: "x" }, "Unknown parameter `cursors`. Did you mean `cursor`?"],
  ["connections", { organisation: "x" }, "Unknown parameter `organisation`. Known: limit, cursor, state."],
  ["members", { limit: "5" }, "Unknown parameter `limit`. This operation takes no parameters."],
])("a mistyped parameter of %s is answered 400 and told what was meant", async (route, query, detail) => {
  const { cookie } = await makeExampleWorld();
  const answer = await callEndpoint(await listOf(route), { cookie }, { query: query as Record<string, string> });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    code: "invalid_request",
    detail,
    errors: [{ path: Object.keys(query)[0], message: detail }],
  });
});

it("every route of the API rejects an unknown parameter and changes nothing", async () => {
  const { cookie } = await makeExampleWorld();
  for (const endpoint of await listDeclared()) {
    const query = { ...endpoint.declaration.example.query, nobodyknows: "1" };
    const answer = await callExample(endpoint, { cookie, origin: "http://localhost:3000" }, { query });
    expect(`${endpoint.method} ${endpoint.route} ${answer.status}`).toBe(`${endpoint.method} ${endpoint.route} 400`);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("Unknown parameter `nobodyknows`.") });
  }
});

it("a declared parameter may still repeat", async () => {
  const { cookie } = await makeExampleWorld();
  const { handler } = await listOf("events");
  const ask = (query: string) =>
    handler(new Request(`http://localhost:3000/api/v1/events?${query}`, { headers: { cookie } }), { params: Promise.resolve({}) });
  expect((await ask("type=document.processed&type=document.error&state=processed&state=failed&limit=5")).status).toBe(200);
  expect((await ask("type=document.processed&tipe=a&tipe=b")).status).toBe(400);
});
