import { expect, it } from "vitest";
import { parseExact } from "#lib/contracts/exact-json";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";
import { writeBundle as bundlePieces, type DescribedType, schemaHash, writeJsonSchema } from "#lib/event-types/writers/described-types";
import { writeTypeScript as typeScriptPieces } from "#lib/event-types/writers/typescript";
import { writeZod as zodPieces } from "#lib/event-types/writers/zod";
import { compilerErrors, runZod } from "#tests/support/written-code";

const ABOUT = { url: "https://signalbox.example", from: "observed" } as const;

const writeTypeScript = (types: DescribedType[]) => [...typeScriptPieces(types, ABOUT)].join("");
const writeZod = (types: DescribedType[]) => [...zodPieces(types, ABOUT)].join("");
const writeBundle = (types: DescribedType[]) => [...bundlePieces(types, ABOUT)].join("");

const described = (type: string, schema: FieldSchema, source = "platform"): DescribedType => ({
  ...{ source, type, variant: null, title: type, schema, hash: schemaHash(schema), dataPath: "data" },
});

const SCHEMA: FieldSchema = {
  type: "object",
  properties: {
    documentId: { type: "string", $comment: "in 9,112 of 9,112", format: "id:doc_" },
    pages: { type: ["integer", "null"], $comment: "in 31 of 9,112" },
    status: { type: "string", examples: ["completed", "failed"], $comment: "in 9,112 of 9,112" },
    phase: { type: ["string", "null"], enum: ["a", "b", null] },
    totals: { type: "object", additionalProperties: { type: "number" } },
    lines: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
    empty: { type: "array" },
    anything: {},
    mixed: { type: ["string", "array"], items: { type: "string" } },
  },
  required: ["documentId", "status"],
};

it("writes TypeScript: required only what the schema requires, open values as suggestions, maps, counts in comments", () => {
  expect(writeTypeScript([described("document.processed", SCHEMA)])).toContain(`export type DocumentProcessedData = {
  "documentId": string; // in 9,112 of 9,112; id:doc_
  "pages"?: number | null; // in 31 of 9,112
  "status": "completed" | "failed" | (string & {}); // in 9,112 of 9,112
  "phase"?: "a" | "b" | null;
  "totals"?: Record<string, number>;
  "lines"?: ({
    "n": number;
  })[];
  "empty"?: unknown[];
  "anything"?: unknown;
  "mixed"?: string | string[];
};
export type DocumentProcessed = SignalboxEnvelope<"document.processed", DocumentProcessedData>;`);
});

it("writes Zod schemas that take what the schema takes, with fields that nobody knows, and refuse the rest", () => {
  const { documentProcessedData: data, signalboxEvent: event } = runZod(
    writeZod([described("document.processed", SCHEMA), described("ping", {})]),
  );
  const fine = { documentId: "doc_1", status: "new", lines: [{ n: 1, more: true }], totals: { a: 1 }, phase: null, later: 1 };
  expect(data?.parse(fine)).toEqual(fine);
  for (const wrong of [
    { ...fine, status: undefined },
    { ...fine, phase: "c" },
    { ...fine, pages: "3" },
    { ...fine, lines: [{}] },
  ])
    expect(data?.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  expect(event?.safeParse({ id: "evt_1", type: "ping", created: 1, data: 5 }).success).toBe(true);
  expect(event?.safeParse({ id: "evt_1", type: "pong", created: 1, data: 5 }).success).toBe(false);
});

/** Keys and types that end texts and comments, hide a global, or mean something to JavaScript. */
const KEYS = [
  "__proto__",
  "constructor",
  "toString",
  "",
  "0",
  'quo"te',
  "back\\slash",
  "*/ x",
  "line\nend",
  "\u2028",
  "\u202e",
  "naïve",
  "型",
  "class",
];
const TYPES = ["Record", "delete", "", "123", "型", "a.b", "a-b", "*/", "\n", "\u2028", '"', "data", "a", "signalbox event", "__proto__"];

const hostile = (): DescribedType[] => {
  const properties = parseExact(
    `{${KEYS.map((key) => `${JSON.stringify(key)}:{"type":"string","$comment":${JSON.stringify(key)}}`).join(",")}}`,
  );
  const schema = { type: "object", properties, required: KEYS } as FieldSchema;
  return [
    ...TYPES.map((type) => described(type, { ...schema, description: type })),
    described("same", schema, "one"),
    described("same", schema, "two"),
    described("values", { type: "object", properties: { v: { type: "string", examples: KEYS }, e: { enum: [...KEYS, null, 1, true] } } }),
  ];
};

it("writes names and keys of any text as code that compiles strictly", { timeout: 60_000 }, async () => {
  const types = hostile();
  const written = { "types.ts": writeTypeScript(types), "zod.ts": writeZod(types) };
  const use = `import type { SignalboxEvent, SignalboxEventType, SameTwoData, TwoSameData, OneSameData } from "./types.ts";
export const types: SignalboxEventType[] = ${JSON.stringify([...TYPES, "same", "values"])};
export const read = (event: SignalboxEvent): string => (event.type === "same" ? event.data["__proto__"] + event.data["0"] : event.id);
export const both: TwoSameData | OneSameData | null = null;
`.replace("SameTwoData, ", "");
  expect(await compilerErrors({ ...written, "use.ts": use })).toBe("");
  const { signalboxEvent: event } = runZod(written["zod.ts"]);
  const data = parseExact(`{${KEYS.map((key) => `${JSON.stringify(key)}:"x"`).join(",")}}`);
  for (const type of [...TYPES, "same"]) expect(event?.safeParse({ id: "e", type, created: 1, data }).error, type).toBeUndefined();
  expect(event?.safeParse({ id: "e", type: "same", created: 1, data: { ...(data as object), class: 1 } }).success).toBe(false);
});

it("leaves a field that is called __proto__ out of Zod objects, which can't name it: it passes, and no code has to have it", {
  timeout: 60_000,
}, async () => {
  const schema = parseExact(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"id":{"type":"string"}},"required":["__proto__","id"]}',
  ) as FieldSchema;
  const alone = parseExact('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}') as FieldSchema;
  const zod = writeZod([described("odd", schema), described("alone", alone)]);
  expect(zod).not.toContain("__proto__");
  const use = `import { type OddData, aloneData } from "./zod.ts";
export const odd: OddData = { id: "x" };
export const more: Record<string, unknown> = aloneData.parse({});
`;
  expect(await compilerErrors({ "zod.ts": zod, "use.ts": use })).toBe("");
  const { oddData: odd, aloneData } = runZod(zod);
  const data = parseExact('{"__proto__":"x","id":"y"}');
  expect(odd?.safeParse(data).success).toBe(true);
  expect(aloneData?.safeParse(data).success).toBe(true);
});

it("compiles with no type at all", { timeout: 60_000 }, async () => {
  expect(await compilerErrors({ "types.ts": writeTypeScript([]), "zod.ts": writeZod([]) })).toBe("");
});

it("writes the same text whatever the order of types and fields, and a hash that counts don't change", () => {
  const shuffled = {
    ...SCHEMA,
    properties: Object.fromEntries(Object.entries(SCHEMA.properties ?? {}).reverse()),
    required: ["status", "documentId"],
  };
  const recounted = { ...SCHEMA, $comment: "in 10 of 10", properties: { ...SCHEMA.properties, anything: { $comment: "in 1 of 9" } } };
  expect(schemaHash(shuffled)).toBe(schemaHash(SCHEMA));
  expect(schemaHash(recounted)).toBe(schemaHash(SCHEMA));
  expect(schemaHash({ ...SCHEMA, required: ["status"] })).not.toBe(schemaHash(SCHEMA));
  expect(schemaHash({ properties: { title: {} } })).not.toBe(schemaHash({ properties: { $comment: {} } }));
  const types = [described("b", SCHEMA), described("a", {}), described("a", {}, "other")];
  expect(writeTypeScript(types.toReversed())).toBe(writeTypeScript(types));
  expect(writeBundle(types.toReversed())).toBe(writeBundle(types));
});

it("writes JSON Schema with the type that it is of, and its hash", () => {
  const document = JSON.parse(writeJsonSchema(described("a/b", SCHEMA)));
  expect(document).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:signalbox:event-type:platform:a%2Fb",
    $comment: expect.stringMatching(/^schema sha256:[0-9a-f]{64}$/),
    required: ["documentId", "status"],
  });
});
