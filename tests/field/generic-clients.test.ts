import { beforeAll, expect, it } from "vitest";
import { useDatabase } from "#tests/support/database";
import { type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { callEndpoint, listDeclared } from "#tests/support/routes";

// What a program does that knows no list of ours by name: docs/api.md says that every list takes `limit` and `cursor`.

useDatabase({ SANDBOX: "on" });

let world: ExampleWorld;
beforeAll(async () => {
  world = await makeExampleWorld();
});

type List = { data: unknown[]; nextCursor: string | null };

/** Reads a list page by page, as long as it says that there is more. */
async function readAll(endpoint: Awaited<ReturnType<typeof listDeclared>>[number], limit: string): Promise<List[]> {
  const pages: List[] = [];
  const { example } = endpoint.declaration;
  for (let cursor: string | null | undefined; cursor !== null && pages.length < 300; ) {
    const query = { ...example.query, limit, ...(cursor && { cursor }) };
    const answer = await callEndpoint(endpoint, { cookie: world.cookie }, { ...example, query });
    const text = await answer.text();
    expect(answer.status, `${endpoint.route}: ${text}`).toBe(200);
    pages.push(JSON.parse(text));
    cursor = pages.at(-1)?.nextCursor;
  }
  return pages;
}

it("each list takes a limit, and its pages bring what it has", async () => {
  const lists: string[] = [];
  for (const endpoint of await listDeclared()) {
    const { 200: answer } = endpoint.declaration.answers;
    if (endpoint.method !== "GET" || !answer || !("shape" in answer) || !("nextCursor" in (answer.shape as object))) continue;
    const [all] = await readAll(endpoint, "200");
    const pages = await readAll(endpoint, "1");
    expect(
      pages.map(({ data }) => data.length).every((count) => count <= 1),
      endpoint.route,
    ).toBe(true);
    expect(pages.flatMap(({ data }) => data).length, endpoint.route).toBe(all?.data.length);
    lists.push(endpoint.route);
  }
  expect(lists.length).toBeGreaterThan(30);
});

it.each(["bogus", "-1", "12", "1-2-3"])("the feed refuses %j as a cursor: beginning now would lose what was missed", async (from) => {
  const feed = (await listDeclared()).find(({ route }) => route === "api/v1/feed");
  if (!feed) throw new Error("there is no feed");
  const answers = await Promise.all([
    callEndpoint(feed, { cookie: world.cookie }, { query: { from } }),
    callEndpoint(feed, { cookie: world.cookie, "last-event-id": from }, {}),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: [{ path: "from", message: "is not a cursor of the feed." }] });
  }
});
