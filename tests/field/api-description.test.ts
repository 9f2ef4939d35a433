import { afterEach, beforeAll, expect, it } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { resetEnv } from "#lib/config/env";
import type { ApiDocument } from "#lib/contracts/api/openapi";
import { useDatabase } from "#tests/support/database";
import { type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { callExample, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";
import { takeSnapshot } from "#tests/support/world-snapshot";
import { GET } from "../../app/api/v1/openapi.json/route.ts";

// What linters and clients of others take the OpenAPI document at its word for. Their own rules: tests/deep/api.

const LOCAL = {
  SANDBOX: "on",
  APP_URL: "http://localhost:3000",
  PLATFORM_TOKEN_URL: "http://127.0.0.1:1",
  BACKUP_DIR: "nothing-is-written",
};
useDatabase(LOCAL);
afterEach(() => void resetEnv(LOCAL));

let document: ApiDocument;
beforeAll(async () => {
  document = (await (await GET()).json()) as ApiDocument;
});
const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path));

it("an example and a default are of the type that their parameter asks for", () => {
  const given = operations().flatMap(({ parameters }) =>
    parameters.flatMap(({ name, example, schema }) =>
      [example, schema.default, ...(schema.examples ?? [])].map((value) => ({ name, value, type: schema.type })),
    ),
  );
  const asked = given.filter(({ value }) => value !== undefined);
  const typeOf = (value: unknown) => (Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value);
  const wrong = asked.filter(({ value, type }) => type !== undefined && ![type].flat().includes(typeOf(value)));
  expect(asked.filter(({ value }) => typeof value === "number").length).toBeGreaterThan(10);
  expect(wrong.map(({ name, value }) => [name, value])).toEqual([]);
});

it("each tag and each operation says what it is, and who may call it", () => {
  expect(document.tags.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  const bare = operations().filter((operation) => !operation.description.includes(`Allowed roles: ${operation["x-roles"].join(", ")}.`));
  expect(bare.map(({ operationId }) => operationId)).toEqual([]);
});

it("the server is the public URL, or the one that the document came from where that is this machine's own name", async () => {
  const serverOf = async () => ((await (await GET()).json()) as ApiDocument).servers[0]?.url;
  expect(await serverOf()).toBe("/");
  resetEnv({ APP_URL: "http://127.0.0.1:3000" });
  expect(await serverOf()).toBe("/");
  expect(document.servers).toHaveLength(1);
});

it("a destination's filter is described as an object", () => {
  expect(document.components.schemas.EventFilter).toMatchObject({ type: "object", description: /./ });
});

type Problems = Record<string, { content: { "application/problem+json": { examples: Record<string, unknown> } } }>;

/** Returns the code and status of an answer that the document does not tell of. */
async function undescribed({ route, method }: DeclaredEndpoint, answer: Response): Promise<string | null> {
  const described = document.paths[`/${route.replaceAll(/\[(\w+)\]/g, "{$1}")}`]?.[method.toLowerCase()]?.responses[answer.status];
  const isProblem = answer.headers.get("content-type") === "application/problem+json";
  const code = isProblem ? ((await answer.json()) as { code: string }).code : null;
  if (!isProblem) await answer.body?.cancel();
  const codes = (document.components.responses as Problems)[described?.$ref?.split("/").at(-1) ?? ""]?.content;
  const isTold = described && (code === null || codes?.["application/problem+json"].examples[code]);
  return isTold ? null : `${method} /${route} ${answer.status} ${code}`;
}

it("every answer is described: to a person twice, then to a program, a stranger and another site, and of things that are not there", async () => {
  const world: ExampleWorld = await makeExampleWorld();
  const { key } = await insertApiKey(world.workspaceId, { name: "a program", role: "owner", createdBy: null });
  const person = { cookie: world.cookie, origin: LOCAL.APP_URL };
  const program = { authorization: `Bearer ${key}` };
  const nowhere = ({ declaration }: DeclaredEndpoint) => ({
    params: Object.fromEntries(Object.keys(declaration.example.params ?? {}).map((name) => [name, "none"])),
    body: JSON.parse(JSON.stringify(declaration.example.body ?? {}).replaceAll(/\w+_example\b/g, "none")),
  });
  const restore = await takeSnapshot();
  const missing = new Set<string>();
  for (const endpoint of await listDeclared()) {
    if (!endpoint.route.startsWith("api/v1/")) continue;
    const ask = async (headers: Record<string, string>, change = {}) => {
      const fault = await undescribed(endpoint, await callExample(endpoint, headers, change));
      if (fault) missing.add(fault);
    };
    await ask(person);
    await ask(person);
    await ask(program);
    await ask(program, nowhere(endpoint));
    await ask(program, { query: { unknown: "parameter" } });
    await ask({ cookie: world.cookie, origin: "https://elsewhere.example" });
    await ask({});
    await ask({ ...program, "content-type": "text/plain" });
    if (endpoint.method !== "GET") await restore();
  }
  expect([...missing]).toEqual([]);
});
