import { beforeEach, expect, test } from "vitest";
import { auditOf } from "#lib/auth/audit/audit";
import { inTransaction, pool } from "#lib/db/pool";
import { readAnnotations } from "#lib/flows/events/read-event";
import { noteRun } from "#lib/outages/outage-store";
import { useDatabase } from "#tests/support/database";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVER = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
const HOUR_MS = 3_600_000;

beforeEach(async () => void (await pool().query("TRUNCATE receiver_runs")));

let runs = 0;
const start = (version: string) => noteRun({ id: `run_${++runs}`, startedMsAgo: 0 }, version);

/** Moves everything noted so far to so many hours earlier. */
const letPass = (hours: number) =>
  pool().query(
    "UPDATE receiver_runs SET started_at = started_at - make_interval(hours => $1), seen_at = seen_at - make_interval(hours => $1)",
    [hours],
  );

const told = async (workspaceId: Parameters<typeof readAnnotations>[0], period = EVER) =>
  (await readAnnotations(workspaceId, period)).map(({ kind, text }) => [kind, text]);

test("a second process of the same version tells nothing; a pause and another version do", async () => {
  const { workspaceId } = await makeWorkspace();
  await start("1.0.0");
  await start("1.0.0");
  expect(await readAnnotations(workspaceId, EVER)).toEqual([]);

  await letPass(2);
  await start("1.0.0");
  const [outage, ...more] = await readAnnotations(workspaceId, EVER);
  expect(more).toEqual([]);
  expect(outage).toMatchObject({ kind: "outage", text: "Signalbox was not running" });
  expect(Date.parse(outage?.until ?? "") - Date.parse(outage?.at ?? "")).toBeGreaterThan(1.9 * HOUR_MS);

  await start("1.1.0");
  expect(await told(workspaceId)).toEqual([
    ["outage", "Signalbox was not running"],
    ["version", "Updated Signalbox from 1.0.0 to 1.1.0"],
  ]);
});

test("a restart within a minute tells nothing, and a run of before versions were noted is no update", async () => {
  const { workspaceId } = await makeWorkspace();
  await start("0.9.0");
  await pool().query(
    "UPDATE receiver_runs SET version = NULL, started_at = now() - interval '2 minutes', seen_at = now() - interval '40 s'",
  );
  await start("1.0.0");
  expect(await readAnnotations(workspaceId, EVER)).toEqual([]);
});

test("a pause is told where it reaches into the period, nothing of another time", async () => {
  const { workspaceId } = await makeWorkspace();
  await start("1.0.0");
  await letPass(5);
  await start("1.1.0");
  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  expect(await told(workspaceId, { from: at(-3), to: at(-2) })).toEqual([["outage", "Signalbox was not running"]]);
  expect(await told(workspaceId, { from: at(-9), to: at(-8) })).toEqual([]);
  expect(await told(workspaceId, { from: at(1), to: at(2) })).toEqual([]);
});

test("changes of secrets and field mappings are told by their source, those of other workspaces and other subjects are not", async () => {
  const [own, other] = [await makeWorkspace(), await makeWorkspace()];
  const target = (name: string) => ({ kind: "source", id: "src_1", name });
  const audit = auditOf(actorOf(own));
  // At the same moment, they stand in the order in which they were made.
  await inTransaction(pool(), async (client) => {
    await audit.record({ action: "secret.rotated", target: target("live") }, client);
    await audit.record({ action: "source.field_mapping_changed", target: target("live") }, client);
  });
  await audit.record({ action: "member.invited", target: { kind: "invitation", id: "inv_1", name: "ada@example.com" } });
  await auditOf(actorOf(other)).record({ action: "secret.rotated", target: target("theirs") });
  expect(await told(own.workspaceId)).toEqual([
    ["change", "Rotated a signing secret: live"],
    ["change", "Changed a field mapping: live"],
  ]);
});
