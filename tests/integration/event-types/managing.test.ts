import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { learner } from "#lib/flows/event-types/learn-event-types";
import { acceptDrift, changeFieldSettings, pinSchema, publishVersion } from "#lib/flows/event-types/manage-event-types";
import { readIssues } from "#lib/flows/issues/issues";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { newWorker, TypeOfSource } from "#tests/support/learnt-types";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();
afterEach(newWorker);

const status = (n: number) => ({ status: ["completed", "failed"][n % 2], pages: n % 7 });
const vanished = (n: number) => ({ status: ["completed", "failed"][n % 2] });
const now = () => new Date();

let type: TypeOfSource;
let actor: ReturnType<typeof actorOf>;
beforeEach(async () => {
  const workspace = await makeWorkspace();
  type = new TypeOfSource(workspace);
  actor = actorOf(workspace);
  await type.learn(320, status);
});

describe("this is how it is now", () => {
  it("closes the drift and its issue, makes a version, and the same is no drift again", async () => {
    await type.learn(6, vanished);
    const { id } = await type.read();
    const accepted = await acceptDrift(unaudited(actor), id, undefined);
    expect(accepted.drifts).toMatchObject([{ state: "accepted", closedBy: "ada@example.com" }]);
    expect(accepted).toMatchObject({ version: 1, versions: [{ number: 1, reason: "accepted", createdBy: "ada@example.com" }] });
    const { data } = await readIssues(type.workspaceId, { origin: "schema" }, { limit: 10 }, now());
    expect(data).toMatchObject([{ state: "resolved" }]);
    await type.learn(20, vanished);
    expect((await type.read()).drifts).toHaveLength(1);
    expect((await type.read()).drift.breaking).toBe(0);
  });

  it("is said of one drift alone where one is named", async () => {
    await type.learn(6, () => ({ status: 7 }));
    const { id, drifts } = await type.read();
    expect(drifts.map(({ path }) => path).sort()).toEqual(["data.pages", "data.status"]);
    const one = drifts.find(({ path }) => path === "data.status");
    const after = await acceptDrift(unaudited(actor), id, [one?.id ?? ""]);
    expect(after.drifts.map(({ path, state }) => [path, state]).sort()).toEqual([
      ["data.pages", "open"],
      ["data.status", "accepted"],
    ]);
  });
});

describe("what people set of a field", () => {
  it("ignores its drift, open and to come", async () => {
    await type.learn(6, vanished);
    const { id } = await type.read();
    await changeFieldSettings(unaudited(actor), id, { path: "data.pages", ignored: true });
    await type.learn(20, vanished);
    const { drifts, tree } = await type.read();
    expect(drifts).toMatchObject([{ state: "ignored" }]);
    expect(tree.find(({ path }) => path === "data.pages")?.settings.ignored).toBe(true);
    const change = changeFieldSettings(unaudited(actor), id, { path: "data.nothing", ignored: true });
    await expect(change, "a field that the type does not have").rejects.toMatchObject({ code: "invalid_request" });
  });

  it("takes its values away, and its keys together", async () => {
    const { id } = await type.read();
    await type.learn(2, (n) => ({ ...status(n), labels: { [`kind${n}`]: "x", fixed: "y" } }));
    await changeFieldSettings(unaudited(actor), id, { path: "data.status", notEnumeration: true });
    await changeFieldSettings(unaudited(actor), id, { path: "data.labels", map: true });
    await type.learn(2, (n) => ({ ...status(n), labels: { [`kind${n}`]: "x", fixed: "y" } }));
    const { tree } = await type.read();
    expect(tree.find(({ path }) => path === "data.status")?.values).toBeNull();
    expect(tree.map(({ path }) => path).filter((path) => path.startsWith("data.labels"))).toEqual(["data.labels", "data.labels.*"]);
    const { rows } = await pool().query<{ tree: object }>("SELECT tree FROM event_schemas WHERE id = $1", [id]);
    expect(JSON.stringify(rows)).not.toContain("completed");
  });
});

describe("a pinned schema", () => {
  it("is strict: the first event that deviates opens the issue, and each is counted", async () => {
    const { id } = await type.read();
    const { version } = await publishVersion(unaudited(actor), id);
    expect(await publishVersion(unaudited(actor), id)).toMatchObject({ created: false, version: { number: version.number } });
    expect((await pinSchema(unaudited(actor), id, { pinned: true, version: 1 })).state).toBe("pinned");
    await learner().loadTold();
    const [bad] = await type.learn(1, (n) => ({ ...status(n), status: "new", pages: null, more: 1 }));
    const { drifts, pin } = await type.read();
    expect(drifts.map(({ kind, path, severity, firstEvent }) => [kind, path, severity, firstEvent?.id]).sort()).toEqual([
      ["null", "data.pages", "breaking", bad],
      ["value", "data.status", "breaking", bad],
    ]);
    await type.learn(3, (n) => ({ ...status(n), pages: null }));
    expect((await type.read()).pin?.violations.find(({ path }) => path === "data.pages")).toMatchObject({
      count: 4,
      observed: "null",
      firstEvent: { id: bad },
    });
    expect(pin).toMatchObject({ version: 1, file: null, pinnedBy: "ada@example.com" });
    const unpinned = await pinSchema(unaudited(actor), id, { pinned: false });
    expect(unpinned).toMatchObject({ state: "observed", pin: null, drift: { breaking: 0 } });
  });

  it("may come from a JSON Schema: documented as required, absent in all", async () => {
    const { id } = await type.read();
    const jsonSchema = {
      type: "object",
      required: ["organizationId", "status"],
      properties: { organizationId: { type: "string" }, status: { enum: ["completed"] } },
    };
    await pinSchema(unaudited(actor), id, { pinned: true, jsonSchema, file: "platform.json" });
    await learner().loadTold();
    await type.learn(4, status);
    const { pin } = await type.read();
    expect(pin).toMatchObject({ version: null, file: "platform.json" });
    expect(pin?.violations.map(({ path, observed, count }) => [path, observed, count]).sort()).toEqual([
      ["data.organizationId", "absent", 4],
      ["data.status", "another value", 2],
    ]);
    await expect(pinSchema(unaudited(actor), id, { pinned: true, jsonSchema: { title: "x", $ref: "#/none" } })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});
