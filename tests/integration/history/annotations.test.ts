import { beforeEach, expect, test } from "vitest";
import { auditOf } from "#lib/auth/audit/audit";
import { pool } from "#lib/db/pool";
import { readAnnotations } from "#lib/flows/events/read-annotations";
import { noteVersion } from "#lib/processing/version-store";
import { useDatabase } from "#tests/support/database";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVER = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
const HOUR_MS = 3_600_000;

beforeEach(async () => void (await pool().query("DELETE FROM version_runs")));

/** As if everything noted so far had happened so many hours earlier. */
const letPass = (hours: number) =>
  pool().query(
    "UPDATE version_runs SET started_at = started_at - make_interval(hours => $1), seen_at = seen_at - make_interval(hours => $1)",
    [hours],
  );

test("while a version is seen it is one run; a pause and another version are told, a second process of one is not", async () => {
  const { workspaceId } = await makeWorkspace();
  await noteVersion("1.0.0");
  await noteVersion("1.0.0");
  expect(await readAnnotations(workspaceId, EVER)).toEqual([]);

  await letPass(2);
  await noteVersion("1.0.0");
  const [outage, ...more] = await readAnnotations(workspaceId, EVER);
  expect(more).toEqual([]);
  expect(outage).toMatchObject({ kind: "outage", text: "Signalbox was not running" });
  expect(Date.parse(outage?.until ?? "") - Date.parse(outage?.at ?? "")).toBeGreaterThan(1.9 * HOUR_MS);

  // An update process by process: both versions run for a while.
  for (const version of ["1.1.0", "1.0.0", "1.1.0", "1.0.0", "1.1.0"]) await noteVersion(version);
  const later = await readAnnotations(workspaceId, EVER);
  expect(later.map(({ kind, text }) => [kind, text])).toEqual([
    ["outage", "Signalbox was not running"],
    ["version", "Updated from 1.0.0 to 1.1.0"],
  ]);
});

test("a pause is told where it reaches into the period, nothing of another time", async () => {
  const { workspaceId } = await makeWorkspace();
  await noteVersion("1.0.0");
  await letPass(5);
  await noteVersion("1.0.0");
  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  expect(await readAnnotations(workspaceId, { from: at(-3), to: at(-2) })).toHaveLength(1);
  expect(await readAnnotations(workspaceId, { from: at(-9), to: at(-8) })).toEqual([]);
  expect(await readAnnotations(workspaceId, { from: at(1), to: at(2) })).toEqual([]);
});

test("runs of long ago are deleted", async () => {
  await noteVersion("0.9.0");
  await letPass(24 * 401);
  await noteVersion("1.0.0");
  const { rows } = await pool().query("SELECT version FROM version_runs");
  expect(rows).toEqual([{ version: "1.0.0" }]);
});

test("changes of secrets and field mappings are told by their source, those of other workspaces and other subjects are not", async () => {
  const [own, other] = [await makeWorkspace(), await makeWorkspace()];
  const target = (name: string) => ({ kind: "source", id: "src_1", name });
  const audit = auditOf(actorOf(own));
  await audit.record({ action: "secret.rotated", target: target("live") });
  await audit.record({ action: "source.field_mapping_changed", target: target("live") });
  await audit.record({ action: "member.invited", target: { kind: "invitation", id: "inv_1", name: "ada@example.com" } });
  await auditOf(actorOf(other)).record({ action: "secret.rotated", target: target("theirs") });
  const told = await readAnnotations(own.workspaceId, EVER);
  expect(told.map(({ text }) => text)).toEqual(["Rotated a signing secret: live", "Changed a field mapping: live"]);
});
