import { expect, it } from "vitest";
import { readDocumentation } from "#lib/client/format/read-documentation";
import { learnFields } from "#tests/support/lessons";

const OPENAPI = `openapi: 3.1.0
info: {title: Shop, version: "1"}
webhooks:
  order/paid:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                type: {const: order/paid}
                data:
                  oneOf:
                    - $ref: "#/components/schemas/order"
                    - type: object
                      required: [id]
                      properties: {id: {type: integer}, refund: &money {type: object, properties: {amount: {type: number}}}}
  order/lost:
    $ref: "#/components/pathItems/lost"
components:
  pathItems:
    lost: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {on: {type: string, const: 2026-11-01}}}}}}}}
  schemas:
    order:
      type: object
      required: [id, total]
      properties: {id: {type: string}, total: *money, next: {$ref: "#/components/schemas/order"}}
`;

const read = (text: string, type: string, { name = "shop.yaml", events = [{}] as object[] } = {}) =>
  readDocumentation(new File([text], name), { type, tree: learnFields(events) });

it("reads a sender's OpenAPI in YAML for one type: alternatives, aliases and references that lead to themselves", async () => {
  const found = await read(OPENAPI, "order/paid", { events: [{ id: "o_1", total: null }, { total: {} }] });
  expect(found).toMatchObject({ file: "shop.yaml", name: "order/paid", notes: [] });
  expect(found.schema).toMatchObject({
    required: ["id"],
    properties: {
      id: { type: ["string", "integer"] },
      total: { properties: { amount: { type: "number" } } },
      next: { properties: { next: {} } },
    },
  });
  expect(found.differences.map(({ path, expected, observed }) => [path, expected, observed])).toEqual([
    ["data.id", "required", "absent in 1 of 2"],
    ["data.total", "object", "null"],
  ]);
  // A date stays the text that it is in JSON.
  expect((await read(OPENAPI, "order.lost")).schema.properties?.on?.enum).toEqual(["2026-11-01"]);
});

it("says what is wrong with a file in a sentence", async () => {
  await expect(read(OPENAPI, "order.gone")).rejects.toThrow("The file documents 2 webhooks, but none that is named order.gone.");
  await expect(read('{"type": ', "a", { name: "a.json" })).rejects.toThrow(/^The file is not JSON\. \S/);
  await expect(read("a: [1\nb: 2", "a")).rejects.toThrow(/^The file is neither JSON nor YAML\. .* at line \d+, column \d+\.$/);
  await expect(read("just a text", "a")).rejects.toThrow("The file is not a JSON object.");
  await expect(read("", "a")).rejects.toThrow("The file is not a JSON object.");
});

it("sends the outermost 400 fields of a large schema, and says so", async () => {
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, { type: "string", description: "x".repeat(200) }]));
  const { schema, notes } = await read(
    JSON.stringify({ type: "object", properties: { ...fields(300), more: { type: "object", properties: fields(300) } } }),
    "a",
  );
  expect([Object.keys(schema.properties ?? {}).length, notes]).toEqual([301, ["Its 400 outermost fields are checked."]]);
  expect(JSON.stringify(schema).length).toBeLessThan(32_000);
});
