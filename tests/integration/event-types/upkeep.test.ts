import { afterEach, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { forgetExpiredValues, watchVolume } from "#lib/flows/event-types/upkeep";
import { readIssues } from "#lib/flows/issues/issues";
import { useDatabase } from "#tests/support/database";
import { newWorker, TypeOfSource } from "#tests/support/learnt-types";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();
afterEach(newWorker);

it("a value leaves with the last event of its source that has it, and others stay", async () => {
  const workspace = await makeWorkspace();
  const type = new TypeOfSource(workspace);
  const early = await type.learn(100, () => ({ status: "early" }));
  await type.learn(200, (n) => ({ status: n % 2 === 0 ? "late" : "later" }));
  const valuesOf = async () => (await type.read()).tree.find(({ path }) => path === "data.status")?.values?.map(({ value }) => value);
  expect(await valuesOf()).toEqual(["early", "late", "later"]);
  expect(await forgetExpiredValues()).toBe(0);

  // As retention does, by the time of receipt.
  await pool().query(
    "UPDATE sources SET gone_before = (SELECT received_at + interval '1 second' FROM event_keys WHERE event_id = $1) WHERE id = $2",
    [early.at(-1), workspace.sourceId],
  );
  expect(await forgetExpiredValues()).toBe(1);
  expect(await valuesOf()).toEqual(["late", "later"]);
  const { rows } = await pool().query("SELECT tree FROM event_schemas WHERE workspace_id = $1", [workspace.workspaceId]);
  expect(JSON.stringify(rows)).not.toContain("early");
});

it("a type that falls to a tenth of each of 14 days is a drift, and over when it is back; a source that is silent as a whole is none", async () => {
  const workspace = await makeWorkspace();
  const [type, other] = [new TypeOfSource(workspace), new TypeOfSource(workspace, "document.uploaded")];
  await type.learn(3, () => ({ status: "x" }));
  await other.learn(3, () => ({ status: "x" }));
  const today = Date.UTC(2026, 10, 20);
  const put = (of: TypeOfSource, daysAgo: number, events: number) =>
    pool().query(
      `INSERT INTO event_hours (workspace_id, source_id, type, hour, events) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace_id, source_id, type, hour) DO UPDATE SET events = $5`,
      [of.workspaceId, of.sourceId, of.type, new Date(today - daysAgo * 86_400_000 + 3_600_000).toISOString(), events],
    );
  await pool().query("DELETE FROM event_hours");
  for (let day = 2; day <= 15; day += 1) {
    await put(type, day, 500 + 10 * day);
    await put(other, day, 5000);
  }
  await put(type, 1, 30);
  await put(other, 1, 5000);
  const at = new Date(today + 2_000_000);
  expect(await watchVolume(at)).toEqual({ opened: 1, closed: 0 });
  expect(await watchVolume(at)).toEqual({ opened: 0, closed: 0 });
  expect((await type.read()).drifts).toMatchObject([{ kind: "volume", severity: "warning", state: "open", observed: "30 on a whole day" }]);
  const { data } = await readIssues(workspace.workspaceId, { origin: "schema" }, { limit: 5 }, at);
  expect(data).toMatchObject([{ state: "open", code: "schema_volume" }]);
  await put(type, 0, 600);
  await put(other, 0, 5000);
  expect(await watchVolume(new Date(at.getTime() + 86_400_000))).toEqual({ opened: 0, closed: 1 });
  expect((await type.read()).drifts).toMatchObject([{ state: "recovered" }]);

  await put(type, 1, 3);
  await put(other, 1, 3);
  expect(await watchVolume(at)).toEqual({ opened: 0, closed: 0 });
});
