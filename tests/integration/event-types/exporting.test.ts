import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { exportSchema, exportSchemas } from "#lib/flows/event-types/export-schemas";
import { pinSchema, publishVersion } from "#lib/flows/event-types/manage-event-types";
import { openApiServer } from "#tests/support/api-server";
import { runCommand } from "#tests/support/command-line";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { newWorker, TypeOfSource } from "#tests/support/learnt-types";
import { makeOpenFolder } from "#tests/support/open-folder";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();
afterEach(newWorker);

const status = (n: number) => ({ status: ["completed", "failed"][n % 2], ...(n % 4 === 0 && { pages: n % 9 }) });

async function learntType() {
  const workspace = await makeWorkspace();
  const type = new TypeOfSource(workspace);
  await type.learn(320, status);
  const { id } = await type.read();
  const schemaOf = async (choice: { from?: "observed" | "pinned"; version?: number } = {}) =>
    JSON.parse((await exportSchema(type.workspaceId, id, { format: "json-schema", from: "observed", ...choice })).text);
  return { type, id, workspaceId: type.workspaceId, actor: actorOf(workspace), schemaOf };
}

describe("a learnt schema is written", () => {
  it("with values as suggestions until a version has them, and as all that there are until another comes", async () => {
    const { type, id, workspaceId, actor, schemaOf } = await learntType();
    const observed = await schemaOf();
    expect(observed).toMatchObject({
      "x-data-path": "data",
      required: ["documentId", "status"],
      title: "Document processed (document.processed)",
    });
    expect(observed.properties.status).toMatchObject({ examples: ["completed", "failed"] });
    expect(observed.properties.pages.$comment).toBe("in 80 of 320");
    await publishVersion(unaudited(actor), id);
    expect((await schemaOf()).properties.status.enum).toEqual(["completed", "failed"]);
    const { text } = await exportSchema(workspaceId, id, { format: "typescript", from: "observed" });
    expect(text).toContain('"status": "completed" | "failed"; // in 320 of 320');
    await type.learn(30, () => ({ status: "paused" }));
    expect((await schemaOf()).properties.status).toMatchObject({ examples: ["completed", "failed", "paused"] });
    expect((await schemaOf({ version: 1 })).properties.status.enum).toEqual(["completed", "failed"]);
  });

  it("with the same hash while only counts change, which its version and its pin have, that of the JSON Schema alone", async () => {
    const { type, id, actor, schemaOf } = await learntType();
    const { version } = await publishVersion(unaudited(actor), id);
    expect((await schemaOf({ version: 1 })).$comment).toBe(`schema ${version.hash}`);
    const { pin } = await pinSchema(unaudited(actor), id, { pinned: true });
    expect(pin?.hash).toBe(version.hash);
    const before = await schemaOf();
    await type.learn(8, status);
    const after = await schemaOf();
    expect([after.properties.status.$comment, after.$comment]).toEqual(["in 328 of 328", before.$comment]);
    expect(await publishVersion(unaudited(actor), id)).toMatchObject({ created: false, version: { hash: version.hash } });
    const file = { type: "object", properties: { status: { type: "string" } }, required: ["status"] };
    const pinned = await pinSchema(unaudited(actor), id, { pinned: true, jsonSchema: file });
    expect((await schemaOf({ from: "pinned" })).$comment).toBe(`schema ${pinned.pin?.hash}`);
    // Anew where only a format came that the schema does not name: a pin to the version before would refuse it.
    await type.learn(1, (n) => ({ ...status(n), documentId: "" }));
    expect(await publishVersion(unaudited(actor), id)).toMatchObject({ created: true, version: { number: 2, hash: version.hash } });
  });

  it("as pinned, by a version or by a file, and not at all without a pin", async () => {
    const { id, workspaceId, actor, schemaOf } = await learntType();
    await expect(schemaOf({ from: "pinned" })).rejects.toMatchObject({ code: "not_found", message: "This event type is not pinned." });
    await expect(schemaOf({ version: 7 })).rejects.toMatchObject({ code: "not_found" });
    expect((await exportSchemas(workspaceId, { format: "typescript", from: "pinned" })).text).toContain(
      "export type SignalboxEvent = never;",
    );
    const jsonSchema = {
      type: "object",
      properties: {
        status: { type: "string", enum: ["completed"] },
        lines: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } },
      },
      required: ["lines", "status"],
    };
    await pinSchema(unaudited(actor), id, { pinned: true, jsonSchema, file: "sender.json" });
    expect(await schemaOf({ from: "pinned" })).toMatchObject(jsonSchema);
    await pinSchema(unaudited(actor), id, { pinned: true });
    expect((await schemaOf({ from: "pinned" })).properties.status.enum).toEqual(["completed", "failed"]);
    expect((await exportSchemas(workspaceId, { format: "zod", from: "pinned" })).text).toContain('z.literal(["completed", "failed"])');
  });

  it("of all types, of a source, and never of another workspace", async () => {
    const { type, workspaceId } = await learntType();
    const other = new TypeOfSource(type, "task.created");
    await other.learn(3, status);
    const bundle = JSON.parse((await exportSchemas(workspaceId, { format: "json-schema", from: "observed" })).text);
    expect(Object.values(bundle.$defs).map((each) => (each as { title: string }).title)).toEqual([
      "Document processed (document.processed)",
      "Task created (task.created)",
    ]);
    expect(JSON.parse((await exportSchemas(workspaceId, { format: "json-schema", from: "observed", source: "none" })).text).$defs).toEqual(
      {},
    );
    const stranger = await makeWorkspace();
    const { id } = await type.read();
    await expect(exportSchema(stranger.workspaceId, id, { format: "zod", from: "observed" })).rejects.toMatchObject({ code: "not_found" });
  });
});

it("the command line writes types and files, and its check fails once a sender leaves out what they require", {
  timeout: 120_000,
}, async () => {
  const { type, workspaceId } = await learntType();
  const server = await openApiServer();
  onTestFinished(server.close);
  const { key } = await insertApiKey(workspaceId, { name: "ci", role: "viewer", createdBy: null });
  const folder = makeOpenFolder("signalbox-cli-");
  const run = (...args: string[]) => runCommand({ folder, url: server.url, key }, args);
  const out = path.join(folder, "types", "events.d.ts");
  expect(await run("types", "--from", "observed", "--out", out)).toMatchObject({ code: 0, stderr: `Written to ${out}.\n` });
  expect(readFileSync(out, "utf8")).toContain('"documentId": string; // in 320 of 320');
  expect((await run("types", "--from", "observed", "--zod")).stdout).toContain("export const documentProcessedData = z.looseObject({");
  expect(await run("types", "--zod")).toMatchObject({ code: 2, stderr: expect.stringContaining("need --from observed") });
  const dir = path.join(folder, "schemas");
  expect(await run("schema", "pull", "--dir", dir)).toMatchObject({ code: 0, stderr: `1 schema in ${dir}, 1 of them written anew.\n` });
  await type.learn(5, () => ({ status: null, pages: 1.5 }));
  const { code, stdout } = await run("schema", "check", "--dir", dir);
  expect(code).toBe(1);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.replace(/^✗ \S+\s+/, "")),
  ).toEqual([
    expect.stringMatching(/^data\.pages: expected integer, observed number, first event \S+-321, count 5$/),
    expect.stringMatching(/^data\.status: expected string, observed null, first event \S+-321, count 5$/),
  ]);
});
