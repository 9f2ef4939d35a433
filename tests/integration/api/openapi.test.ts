import { Validator } from "@seriousme/openapi-schema-validator";
import { type OpenAPIClient, OpenAPIClientAxios } from "openapi-client-axios";
import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod/mini";
import { insertApiKey } from "#lib/auth/api-key-store";
import { PERMISSIONS } from "#lib/auth/permissions";
import { openApiServer } from "#tests/support/api-server";
import { useDatabase } from "#tests/support/database";
import { type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { listDeclared } from "#tests/support/routes";
import { describeApi } from "../../../app/api/v1/inventory.ts";
import { GET } from "../../../app/api/v1/openapi.json/route.ts";

useDatabase({ SANDBOX: "on" });

type Operation = {
  operationId: string;
  summary: string;
  responses: Record<string, unknown>;
  "x-roles": string[];
  parameters: {
    name: string;
    in: string;
    description?: string;
    example?: unknown;
    schema: { type?: string; examples?: unknown[] };
  }[];
};
type Document = { openapi: string; paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, unknown> } };

let document: Document;
let world: ExampleWorld;
let api: Awaited<ReturnType<typeof openApiServer>>;

beforeAll(async () => {
  world = await makeExampleWorld();
  api = await openApiServer();
  document = (await (await GET()).json()) as Document;
});
afterAll(() => api.close());

test("every named schema says what it is, and not only its own name again", () => {
  const empty = Object.entries(document.components.schemas).filter(([, schema]) => Object.keys(schema as object).join() === "$ref");
  expect(empty).toEqual([]);
});

test("the document is made once: anyone may ask for it", async () => {
  expect(await describeApi()).toBe(await describeApi());
});

test("the document is valid OpenAPI 3.1 by a validator of others", async () => {
  const validator = new Validator();
  const verdict = await validator.validate(structuredClone(document) as never);
  expect(verdict.errors ?? []).toEqual([]);
  expect(verdict.valid).toBe(true);
  expect(document.openapi).toMatch(/^3\.1\./);
});

test("it tells of every route of the API, with the roles of the table, and of each operation by another name", async () => {
  const declared = (await listDeclared()).filter(({ route }) => route.startsWith("api/v1/"));
  for (const { route, method, declaration } of declared) {
    const operation = document.paths[`/${route.replaceAll(/\[(\w+)\]/g, "{$1}")}`]?.[method.toLowerCase()];
    expect(operation?.summary, `${method} ${route}`).toBe(declaration.summary);
    expect(operation?.["x-roles"]).toEqual(PERMISSIONS[declaration.operation].roles);
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(["401", "403", "429", ...Object.keys(declaration.answers)]),
    );
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(operations).toHaveLength(declared.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test("every parameter says what it means, beside its kind, and has an example that the operation takes", async () => {
  const declared = (await listDeclared()).filter(({ route }) => route.startsWith("api/v1/"));
  const wanting: string[] = [];
  for (const { route, method, declaration } of declared) {
    const operation = document.paths[`/${route.replaceAll(/\[(\w+)\]/g, "{$1}")}`]?.[method.toLowerCase()];
    for (const { name, in: where, description = "", example, schema } of operation?.parameters ?? []) {
      const shown = example ?? schema.examples?.[0];
      const declaredSchema = where === "path" ? declaration.params : where === "query" ? declaration.query : undefined;
      const field = (declaredSchema as z.ZodMiniObject | undefined)?.shape[name] as z.ZodMiniType | undefined;
      const taken = (value: unknown) => field?.safeParse(Array.isArray(value) ? value.map(String) : String(value)).success ?? true;
      if (!/^[A-Z`].*\.$/.test(description) || shown === undefined || ![shown, ...(schema.examples ?? [])].every(taken))
        wanting.push(`${method} ${route} ${name}: ${description} ${JSON.stringify(shown)} ${JSON.stringify(schema.examples)}`);
      expect(Array.isArray(shown), `${route} ${name}`).toBe(schema.type === "array");
    }
  }
  expect(wanting).toEqual([]);
});

test("a client that others made from the document alone lists events, delivers one again and reads a view", async () => {
  const { key } = await insertApiKey(world.workspaceId, { name: "a generic client", role: "developer", createdBy: null });
  const definition = { ...structuredClone(document), servers: [{ url: api.url }] };
  const axiosConfigDefaults = { headers: { authorization: `Bearer ${key}` }, paramsSerializer: { indexes: null } };
  const client = await new OpenAPIClientAxios({ definition: definition as never, axiosConfigDefaults }).init<OpenAPIClient>();
  const call = async (operationId: string, parameters: Record<string, unknown>) => {
    const operation = client[operationId];
    if (!operation) throw new Error(`the client has no ${operationId}`);
    return operation(parameters as never);
  };
  const list = await call("getEvents", { type: ["document.processed"], limit: 10 });
  const [event] = (list.data as { data: { id: string; resources: { id: string }[] }[] }).data;
  expect(event).toMatchObject({ id: "evt_example", resources: [{ kind: "document", id: "doc_example" }] });
  const again = await call("postEventsByIdRedeliver", { id: event?.id });
  expect([again.status, again.data]).toEqual([202, expect.objectContaining({ eventId: "evt_example", state: "queued" })]);
  const view = await call("getDocumentsById", { id: event?.resources[0]?.id });
  expect(view.data).toMatchObject({ kind: "document", id: "doc_example", state: "processed" });
  expect(view.headers["ratelimit-policy"]).toBe('"api";q=6000;w=60');
});
