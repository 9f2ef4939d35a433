import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { env } from "#lib/config/env";
import { acceptAgainBody } from "#lib/contracts/quarantine";
import { inTransaction, pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readOverview } from "#lib/flows/overview/read-overview";
import { KnownSources } from "#lib/flows/quarantine/diagnose-quarantined";
import { diagnoseRound, readDiagnoses } from "#lib/flows/quarantine/diagnoses";
import { readQuarantine } from "#lib/flows/quarantine/quarantine";
import { acceptAgain, releaseMatching, runReleases } from "#lib/flows/quarantine/release-quarantined";
import { KEPT_PER_IP } from "#lib/ingest/receiver-limits";
import { findOperation } from "#lib/operations/operation-store";
import { holdDiagnoses, storeDiagnoses } from "#lib/quarantine/diagnosis-store";
import { rotateSecret } from "#lib/sources/source-store";
import { systemClock } from "#lib/time/clock";
import { startLoop } from "#tests/support/background-loop";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, SECRET, sign, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

type World = Awaited<ReturnType<typeof makeWorkspace>>;

const contextIn = ({ workspaceId }: World) => unaudited(ownerOf(workspaceId));

/** A worker's round that comes to an end of what there is, also on a busy machine. */
const wholeRound = () => diagnoseRound({ spendMs: 60_000 });

/** Returns what the worker has found out. */
async function groupsOf({ workspaceId }: World, round = wholeRound()) {
  await round();
  return (await readDiagnoses(workspaceId, {})).data;
}
const counts = (groups: Awaited<ReturnType<typeof groupsOf>>) => groups.map(({ code, count }) => [code, count]);

/** The ID of the secret that a source began with, which is retired by a rotation. */
async function retireSecret({ workspaceId, sourceId }: World): Promise<string> {
  const { previousId } = await rotateSecret(workspaceId, sourceId, 0, new Date(), "the new secret of the source");
  receiver.renew();
  if (!previousId) throw new Error("there was no secret before");
  return previousId;
}

/** Many at once, straight into the table. */
async function insertMany(
  { workspaceId, sourceId }: World,
  count: number,
  { signature = sign, at = "now() - interval '1 minute'", run = "a" } = {},
) {
  const entries = Array.from({ length: count }, (_, n) => {
    const body = envelope({ id: `evt_${run}_${n}` });
    return [`qtn_${sourceId}_${run}_${n}`, body, signature(body)];
  });
  await pool().query(
    `INSERT INTO quarantine (id, workspace_id, source_id, received_at, reason, detail, verified, body, body_bytes, headers, remote_address)
     SELECT e->>0, $1, $2, ${at} + (ordinality * interval '1 millisecond'), 'signature_mismatch', '', false, convert_to(e->>1, 'UTF8'), octet_length(e->>1),
       jsonb_build_object('x-webhook-signature', e->>2), '192.0.2.1' FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS t (e, ordinality)`,
    [workspaceId, sourceId, JSON.stringify(entries)],
  );
}

/** Runs the release until it has ended. */
async function untilReleased({ workspaceId }: World, id: string) {
  const worker = startLoop(runReleases);
  await expect.poll(async () => (await findOperation(workspaceId, id))?.state, { timeout: 30_000 }).toBe("finished");
  await worker.stop();
  return findOperation(workspaceId, id);
}

/** The digest of what a diagnosis depends on, as a version before wrote it. */
async function digestBefore({ workspaceId, sourceId }: World): Promise<string> {
  const { secrets, reading, sender } = (await KnownSources.read(workspaceId, [sourceId], new Date())).of(sourceId);
  const parts = [1, env().WEBHOOK_URL, secrets.map(({ id, state }) => [id, state]), reading, sender?.template, sender?.settings];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

describe("quarantine by diagnosis", () => {
  it("what a version before has found is looked at again after an update that diagnoses otherwise, in the list and by the worker", async () => {
    const world = await makeWorkspace();
    await receiver.send(world.source, signed(envelope(), "a stranger's"));
    const list = async () => (await readQuarantine(world.workspaceId, {}, { limit: 1 }, new Date())).data[0];
    const found = { code: "malformed" as const, about: null, verdict: "Said before.", fix: "", evidence: [], verifiesNow: true };
    await storeDiagnoses(world.workspaceId, [
      { id: (await list())?.id ?? "", diagnosis: found, likelyReal: true, diagnosedWith: await digestBefore(world) },
    ]);
    expect((await list())?.diagnosis?.code).toBe("no_match");
    expect(counts(await groupsOf(world))).toEqual([["no_match", 1]]);
  });

  it("says what many have in common, once and stored, and looks again when a secret changes", async () => {
    const world = await makeWorkspace();
    const secret = await retireSecret(world);
    for (const id of ["a", "b", "c"]) await receiver.send(world.source, signed(envelope({ id })));
    await receiver.send(world.source, signed(envelope(), "a stranger's"));
    await receiver.send(world.source, { body: "probe" });
    await receiver.send(world.source, signed("{}", "the new secret of the source"));
    expect(counts((await readDiagnoses(world.workspaceId, {})).data)).toEqual([[null, 6]]);
    const round = wholeRound();
    const groups = await groupsOf(world, round);
    expect(counts(groups)).toEqual([
      ["secret_retired", 3],
      ["invalid_envelope", 1],
      ["no_match", 1],
      ["header_missing", 1],
    ]);
    expect(groups[0]).toMatchObject({
      about: secret,
      title: `signed with the retired secret ${secret.slice(0, 8)}…${secret.slice(-4)}`,
      likelyReal: true,
      senders: 1,
      releasable: 0,
    });
    expect(groups[3]?.likelyReal).toBe(false);
    const { conditions } = await readOverview(world.workspaceId, new Date());
    expect(conditions.map(({ sentence }) => sentence)).toContain(
      `${world.source}: 3 requests signed with the retired secret ${secret.slice(0, 8)}…${secret.slice(-4)} are in quarantine.`,
    );
    await rotateSecret(world.workspaceId, world.sourceId, 0, new Date(), "a stranger's");
    expect(counts(await groupsOf(world, round))).toContainEqual(["verifies", 1]);
    expect((await readDiagnoses(world.workspaceId, { diagnosis: "verifies" })).data).toMatchObject([{ releasable: 1 }]);
  });

  it("does not look at a request twice while nothing changed", async () => {
    const world = await makeWorkspace();
    await insertMany(world, 3, { signature: () => "0".repeat(64) });
    const round = wholeRound();
    await round();
    await pool().query('UPDATE quarantine SET diagnosis = diagnosis || \'{"verdict":"kept"}\' WHERE workspace_id = $1', [
      world.workspaceId,
    ]);
    await round();
    await wholeRound()(); // a process that has just started
    expect((await readDiagnoses(world.workspaceId, {})).data).toMatchObject([{ verdict: "kept", count: 3 }]);
  });

  it("takes the newest first, and gives every workspace its share of a round", async () => {
    const [flooded, quiet] = [await makeWorkspace(), await makeWorkspace()];
    await insertMany(flooded, 200, { at: "now() - interval '1 hour'" });
    await insertMany(quiet, 1);
    // Each look at the clock costs a millisecond: a round of 40 ends long before the flood does.
    let ms = 0;
    const clock = { ...systemClock, elapsed: () => ms++ };
    await diagnoseRound({ clock, spendMs: 40 })();
    await diagnoseRound({ clock, spendMs: 40 })();
    const { rows } = await pool().query<{ id: string }>(
      "SELECT id FROM quarantine WHERE workspace_id = $1 AND diagnosed_with IS NOT NULL ORDER BY received_at DESC",
      [flooded.workspaceId],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(100);
    expect(rows.at(-1)?.id).toBe(`qtn_${flooded.sourceId}_a_${200 - rows.length}`);
    expect(counts((await readDiagnoses(quiet.workspaceId, {})).data)).toEqual([["verifies", 1]]);
  });

  it("says how many were rejected and how many of those were kept", { tags: ["deep"] }, async () => {
    const world = await makeWorkspace();
    const now = Date.parse("2026-11-23T15:33:20Z");
    const own = createReceiver({ clock: { ...systemClock, now: () => now } });
    receiver.renew(own);
    const sent = KEPT_PER_IP + 45;
    for (let n = 0; n < sent; n += 1) expect((await receiver.send(world.source, signed(envelope(), "a stranger's"))).status).toBe(401);
    await own.rejections.flush();
    expect(await groupsOf(world)).toMatchObject([{ count: KEPT_PER_IP, rejected: sent, kept: KEPT_PER_IP }]);
    const stored = pool().query("SELECT sum(rejected)::int AS n FROM rejection_minutes WHERE source_id = $1", [world.sourceId]);
    expect((await stored).rows).toEqual([{ n: sent }]);
  });
});

describe("a retired secret that is accepted again", () => {
  it("releases what was signed with it, of 300 all, and ends when it is told to", async () => {
    const world = await makeWorkspace();
    const secret = await retireSecret(world);
    await insertMany(world, 300);
    await insertMany(world, 2, { signature: (body) => sign(body, "a stranger's"), run: "other" });
    await groupsOf(world);
    const filter = { source: world.source, about: secret };
    expect(await releaseMatching(world.workspaceId, { filter, dryRun: true }, "ada", new Date())).toMatchObject({
      examined: 200,
      verifying: 0,
    });
    expect(await releaseMatching(world.workspaceId, { filter, dryRun: true, accept: secret }, "ada", new Date())).toMatchObject({
      verifying: 200,
    });
    const body = { secret, hours: 24, release: true };
    const { operation, validUntil } = await acceptAgain(contextIn(world), world.sourceId, body);
    expect(Date.parse(validUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    await groupsOf(world); // it verifies now: the release goes on all the same
    expect(await untilReleased(world, operation?.id ?? "")).toMatchObject({ counts: { released: 300, stillQuarantined: 0 } });
    expect(counts((await readDiagnoses(world.workspaceId, {})).data)).toEqual([["no_match", 2]]);
    receiver.renew();
    expect((await receiver.send(world.source, signed(envelope()))).status).toBe(200);
    await acceptAgain(contextIn(world), world.sourceId, { secret, hours: 0, release: false });
    receiver.renew();
    expect((await receiver.send(world.source, signed(envelope()))).status).toBe(401);
  });

  it("stays retired while another release is under way, and neither the active nor another source's secret is taken", async () => {
    const [world, other] = [await makeWorkspace(), await makeWorkspace()];
    const secret = await retireSecret(world);
    const accept = (id: string, of = world) =>
      acceptAgain(contextIn(of), of.sourceId, { secret: id, hours: 1, release: true }).catch(({ code }: { code: string }) => code);
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM source_secrets WHERE source_id = $1 AND valid_until IS NULL", [
      world.sourceId,
    ]);
    expect(await accept(rows[0]?.id ?? "")).toBe("conflict");
    expect(await accept(secret, other)).toBe("not_found");
    expect(await accept(secret)).toMatchObject({ operation: { state: "queued" } });
    await acceptAgain(contextIn(world), world.sourceId, { secret, hours: 0, release: false });
    expect(await accept(secret)).toBe("conflict");
    expect((await receiver.send(world.source, signed(envelope(), SECRET))).status).toBe(401);
  });

  it("finds every row free: meanwhile no diagnosis of its workspace is written, and nothing waits for it", async () => {
    const world = await makeWorkspace();
    await insertMany(world, 1);
    const diagnosis = { code: "no_match" as const, about: null, verdict: "", fix: "", evidence: [], verifiesNow: false };
    const found = { id: `qtn_${world.sourceId}_a_0`, diagnosis, likelyReal: true, diagnosedWith: "x" };
    await inTransaction(pool(), async (client) => {
      await holdDiagnoses(client, world.workspaceId);
      expect(await storeDiagnoses(world.workspaceId, [found])).toBe(false);
    });
    expect(await storeDiagnoses(world.workspaceId, [found])).toBe(true);
  });

  it("is accepted for the longest that anybody asked for, and ends only for an explicit 0", async () => {
    const world = await makeWorkspace();
    const secret = await retireSecret(world);
    const accept = (hours: number) => acceptAgain(contextIn(world), world.sourceId, { secret, hours, release: false });
    const { validUntil } = await accept(168);
    expect((await accept(24)).validUntil).toBe(validUntil);
    for (const hours of [null, "", false, []]) expect(acceptAgainBody.safeParse({ secret, hours }).success).toBe(false);
  });
});
