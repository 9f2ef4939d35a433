import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { EventTypeDetail } from "#lib/contracts/event-types";
import { type FieldSchema, schemaId } from "#lib/contracts/schemas/field-schema";
import { writeBundle as bundlePieces, type DescribedType, schemaHash } from "#lib/event-types/writers/described-types";
import { observedSchema } from "#lib/event-types/writers/json-schema";
import { learnFields } from "#tests/support/lessons";
import { temporaryFolder } from "#tests/support/temporary-folder";
import type { Session } from "../../../packages/cli/src/commands/session.ts";
import { checkSchemas } from "../../../packages/cli/src/schema-check.ts";
import { fileNames, pullSchemas } from "../../../packages/cli/src/schema-files.ts";
import { processOutput } from "../../../packages/cli/src/terminal.ts";
import { catalogueOf } from "../../../packages/cli/src/types.ts";

const ABOUT = { url: "https://signalbox.example", from: "observed" } as const;

const writeBundle = (types: DescribedType[]) => [...bundlePieces(types, ABOUT)].join("");

const described = (type: string, schema: FieldSchema, source = "platform"): DescribedType => ({
  ...{ source, type, variant: null, title: type, schema, hash: schemaHash(schema), dataPath: "data" },
});

const GOOD = Array.from({ length: 400 }, (_, n) => ({ id: `doc_${n}`, pages: n, lines: [{ sku: "a" }] }));
const BAD = { id: 7, lines: [{}], later: true };

let printed: string[] = [];
let noted: string[] = [];
beforeEach(() => {
  [printed, noted, process.exitCode] = [[], [], undefined];
});

/** What a command sees of a server that learnt `events`. */
function sessionOf(
  events: unknown[],
  bundle = writeBundle([described("document.processed", observedSchema(learnFields(GOOD), null))]),
): Session {
  const detail = { id: "ety_1", events: events.length, tree: learnFields(events), drifts: [] } as unknown as EventTypeDetail;
  const listed = { id: "ety_1", source: "platform", type: "document.processed", variant: null };
  const api = {
    get: async (url: string) => (url === "/api/v1/event-types" ? { data: [listed] } : detail),
    getText: async () => bundle,
  };
  const output = {
    ...processOutput("pretty", true),
    item: (_: object, pretty: (paint: (color: string, text: string) => string) => string) =>
      void printed.push(pretty((_color, text) => text)),
    note: (text: string) => void noted.push(text),
    warn: (text: string) => void noted.push(text),
  };
  return { output, api: () => api } as unknown as Session;
}

async function pulled(): Promise<string> {
  const dir = path.join(temporaryFolder(), "schemas");
  await pullSchemas(sessionOf(GOOD), { dir, from: "observed" });
  return dir;
}

const exported = (events: unknown[], more: object = {}) =>
  events
    .map((data, at) => {
      const body = { id: `evt_${at}`, type: "document.processed", created: 1, data };
      const line = { id: `evt_${at}`, type: "document.processed", source: "platform", receivedAt: new Date(at).toISOString(), ...more };
      return `${JSON.stringify({ ...line, raw: JSON.stringify(body), rawBase64: null })}\n`;
    })
    .reverse()
    .join("");

describe("schema pull", () => {
  it("writes a file for each type, and says how many changed", async () => {
    const dir = await pulled();
    expect(readdirSync(path.join(dir, "platform"))).toEqual(["document.processed.json"]);
    expect(noted).toEqual([`1 schema in ${dir}, 1 of them written anew.`]);
    await pullSchemas(sessionOf(GOOD), { dir, from: "observed" });
    expect(noted.at(-1)).toBe(`1 schema in ${dir}, 0 of them written anew.`);
    await pullSchemas(sessionOf([], writeBundle([])), { dir, from: "pinned" });
    expect(noted.at(-1)).toBe("No event type is pinned.");
  });

  it("names files so that no type leaves the folder, and no two share a file on any file system", () => {
    const owners = ["../../etc/passwd", "..", ".", "con", "a/b", "a:b*?", "", "A", "a", "x".repeat(400), "型", "a.", "\ud800"].map(
      (type) => ({
        ...{ source: "..", type, variant: null },
      }),
    );
    const schemas = owners.map((owner) => ({ $id: schemaId({ ...owner, type: owner.type.toWellFormed() }) }));
    const names = fileNames([
      ...schemas,
      { $id: schemaId({ source: "s", type: "a", variant: "x" }) },
      { $id: "https://other.example" },
    ]).map(({ name }) => name);
    expect(names).toHaveLength(owners.length + 1);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const name of names) {
      expect(path.normalize(name)).toBe(name);
      expect(name).not.toMatch(/(^|\/)\.|[\\:*?"<>|]|\/\//);
      expect(Math.max(...name.split("/").map((part) => part.length))).toBeLessThan(128);
    }
  });
});

describe("schema check", () => {
  it("is fine with what was pulled, and with fields that the file does not name", async () => {
    const dir = await pulled();
    await checkSchemas(sessionOf(GOOD.map((event) => ({ ...event, more: 1 }))), { dir });
    expect([printed, process.exitCode]).toEqual([[], undefined]);
    expect(noted.at(-1)).toBe("1 schema: events are as they say.");
  });

  it("exits with 1 and says path, expected, observed, first event and count", async () => {
    const dir = await pulled();
    await checkSchemas(sessionOf([...GOOD, BAD]), { dir });
    expect(printed).toEqual([
      "✗ platform/document.processed  data.id: expected string, observed number, first event evt_401, count 1",
      "✗ platform/document.processed  data.lines[].sku: expected required, observed absent in 1 of 401, count 1",
      "✗ platform/document.processed  data.pages: expected required, observed absent in 1 of 401, count 1",
    ]);
    expect([process.exitCode, noted.at(-1)]).toEqual([1, "1 schema: 1 not as events are."]);
  });

  it("checks an export event by event without a server, first event first, and writes JUnit", async () => {
    const dir = await pulled();
    const [file, junit] = [path.join(dir, "..", "export.ndjson"), path.join(dir, "..", "out", "schemas.xml")];
    writeFileSync(file, exported([...GOOD, BAD, BAD]) + exported([{}], { type: "document.other" }));
    const offline = { ...sessionOf([]), api: () => expect.fail("it asked the server") } as unknown as Session;
    await checkSchemas(offline, { dir, from: file, junit });
    expect(printed.sort()).toEqual([
      "✗ platform/document.processed  data.id: expected string, observed integer, first event evt_400, count 2",
      "✗ platform/document.processed  data.lines[].sku: expected required, observed absent, first event evt_400, count 2",
      "✗ platform/document.processed  data.pages: expected required, observed absent, first event evt_400, count 2",
    ]);
    expect(noted).toContain("1 event of types without a schema.");
    expect(process.exitCode).toBe(1);
    const xml = readFileSync(junit, "utf8");
    expect(xml).toMatch(/tests="1" failures="1"/);
    expect(xml).toMatch(/<testcase classname="platform" name="document.processed"[^>]*>\s*<failure type="schema" message="data\./);
  });

  it("says when no event of a type was received, which is no failure", async () => {
    const dir = await pulled();
    const file = path.join(dir, "..", "empty.ndjson");
    writeFileSync(file, "");
    const junit = path.join(dir, "..", "schemas.xml");
    for (const from of [file, undefined]) {
      await checkSchemas(sessionOf([]), { dir, junit, ...(from !== undefined && { from }) });
      expect([process.exitCode, printed]).toEqual([undefined, []]);
      expect(noted.slice(-2)).toEqual([
        "No event of platform/document.processed was received.",
        "1 schema: nothing to compare, 1 without events.",
      ]);
      expect(readFileSync(junit, "utf8")).toMatch(
        /failures="0" errors="0" skipped="1"[\s\S]*<skipped message="No event of document\.processed was/,
      );
    }
  });

  it("leaves events out that were fetched: their bodies are not the webhooks'", async () => {
    const dir = await pulled();
    const file = path.join(dir, "..", "fetched.ndjson");
    writeFileSync(
      file,
      exported([BAD], { signatureForm: "fetched" }) + exported([{ id: "doc_1", pages: 1, lines: [] }], { signatureForm: "raw" }),
    );
    await checkSchemas(sessionOf([]), { dir, from: file });
    expect([printed, noted.slice(-2)]).toEqual([
      [],
      ["1 event fetched instead of received: a list API shapes bodies in its own way.", "1 schema: events are as they say."],
    ]);
  });

  it("warns of a file that checks nothing, or not all that it says", async () => {
    const dir = await pulled();
    const file = path.join(dir, "platform", "document.processed.json");
    const { $id } = JSON.parse(readFileSync(file, "utf8"));
    for (const [document, warning] of [
      [{ type: "array" }, "Nothing is checked. The schema is not of an object."],
      [{ properties: { id: { $ref: "common.json#/id" } } }, "References that lead nowhere in the file allow anything: common.json#/id."],
    ] as const) {
      writeFileSync(file, JSON.stringify({ $id, ...document }));
      await checkSchemas(sessionOf([{ id: 1 }]), { dir });
      expect(noted).toContain(`platform/document.processed.json: ${warning}`);
    }
  });

  it("says what is wrong with the folder or the export", async () => {
    const dir = await pulled();
    await expect(checkSchemas(sessionOf([]), { dir: path.join(dir, "none") })).rejects.toMatchObject({ exitCode: 2 });
    await expect(checkSchemas(sessionOf([]), { dir: path.join(dir, "..", "..", "nowhere") })).rejects.toMatchObject({ exitCode: 2 });
    await expect(checkSchemas(sessionOf([]), { dir: path.join(dir, "platform", "document.processed.json") })).rejects.toMatchObject({
      exitCode: 2,
    });
    await expect(checkSchemas(sessionOf([]), { dir: temporaryFolder() })).rejects.toThrow(/has no schemas/);
    const file = path.join(dir, "..", "bad.ndjson");
    writeFileSync(file, `${exported([{}])}{"id":1}\n`);
    await expect(checkSchemas(sessionOf([]), { dir, from: file })).rejects.toThrow(/bad\.ndjson can't be read: line 2 it is no event/);
    writeFileSync(path.join(dir, "note.json"), "{}");
    await checkSchemas(sessionOf(GOOD), { dir });
    expect(noted).toContain("note.json is not a schema of signalbox schema pull.");
  });
});

it("takes each documented type of the list once for the types of the catalogue, however many sources send it", () => {
  const listed = (type: string, meaning: string) => ({ type, title: type, meaning, subject: "", reportsFailure: false, dataSchema: null });
  const types = [listed("b", "B"), listed("push", ""), listed("a", "A"), listed("b", "B")];
  expect(catalogueOf(types).map(({ type }) => type)).toEqual(["a", "b"]);
});
