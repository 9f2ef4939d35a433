import { beforeEach, describe, expect, it, vi } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { applyRetention } from "#lib/flows/events/retention";
import { cleanUp } from "#lib/flows/installation/clean-up";
import { readQuarantine, readQuarantined } from "#lib/flows/quarantine/quarantine";
import { releaseMatching, releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { insertQuarantine, type NewQuarantinedRequest } from "#lib/ingest/quarantine-insert-store";
import { rotateSecret } from "#lib/sources/source-store";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

const reader = vi.hoisted(() => ({ takesFractions: false }));
vi.mock("#lib/platform/read-event", async (original) => {
  const real = await original<typeof import("#lib/platform/read-event")>();
  const whole = (body: Uint8Array) =>
    Buffer.from(
      Buffer.from(body)
        .toString()
        .replace(/("created":\d+)\.\d+/, "$1"),
    );
  const readKept: typeof real.readKept = (request, reading) => {
    if (!reader.takesFractions) return real.readKept(request, reading);
    const read = real.readKept({ ...request, body: whole(request.body) }, reading);
    return read.outcome === "events" ? { ...read, events: read.events.map((event) => ({ ...event, body: request.body })) } : read;
  };
  return { ...real, readKept };
});

useDatabase();
const receiver = useNodeReceiver();
beforeEach(() => {
  reader.takesFractions = false;
});

type Made = Awaited<ReturnType<typeof makeWorkspace>>;

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
/** Signed rightly, but no event for the reader: the platform's time has a fraction. */
const withFraction = (id: string) => envelope({ id }).replace(/"created":\d+/, '"created":1795290000.5');

/** Puts requests into quarantine as the receiver does, many at a time. */
async function quarantine({ workspaceId, sourceId }: Made, count: number, over: Partial<NewQuarantinedRequest>): Promise<void> {
  for (let done = 0; done < count; done += 1000) {
    const entries = Array.from({ length: Math.min(1000, count - done) }, (_, n): NewQuarantinedRequest => {
      const body = Buffer.from(withFraction(`evt_${done + n}`));
      const request = { body, bodyBytes: body.length, headers: { "x-webhook-signature": sign(body) }, remoteAddress: "192.0.2.1" };
      const verdict = { reason: "invalid_envelope", detail: "created wants an integer", verified: true } as const;
      return { workspaceId, sourceId, receivedAt: new Date(), ...verdict, ...request, ...over };
    });
    await insertQuarantine(pool(), entries);
  }
}

async function count(workspaceId: WorkspaceId): Promise<{ verified: number; unverified: number }> {
  const { rows } = await pool().query(
    `SELECT count(*) FILTER (WHERE verified) AS verified, count(*) FILTER (WHERE NOT verified) AS unverified
     FROM quarantine WHERE workspace_id = $1`,
    [workspaceId],
  );
  return rows[0];
}

const eventsOf = async (workspaceId: WorkspaceId) =>
  (
    await pool().query<{ event_id: string; repeats: number }>(
      "SELECT e.event_id, k.repeats FROM events e JOIN event_keys k USING (source_id, event_id) WHERE e.workspace_id = $1 ORDER BY e.seq",
      [workspaceId],
    )
  ).rows;

const UNSIGNED = { verified: false, reason: "signature_missing", headers: {} } as const;

describe("what was answered 202", () => {
  it("is still there after 15,000 of them, 10,000 unsigned requests and the clean-up", { timeout: 120_000 }, async () => {
    const made = await makeWorkspace();
    for (let n = 0; n < 20; n += 1) expect((await receiver.send(made.source, signed(withFraction(`evt_sent_${n}`)))).status).toBe(202);
    await quarantine(made, 14_980, { receivedAt: daysAgo(40) });
    await quarantine(made, 12_000, UNSIGNED);
    await cleanUp(new Date());
    expect(await count(made.workspaceId)).toEqual({ verified: 15_000, unverified: 10_000 });
    await quarantine(made, 10, { ...UNSIGNED, receivedAt: daysAgo(31) });
    await cleanUp(new Date());
    expect(await count(made.workspaceId)).toEqual({ verified: 15_000, unverified: 10_000 });
  });

  it("leaves by the retention of its workspace and its source alone, and the audit log says how many", async () => {
    const made = await makeWorkspace();
    await quarantine(made, 7, { receivedAt: daysAgo(200) });
    await quarantine(made, 5, { receivedAt: daysAgo(80) });
    await quarantine(made, 2, { ...UNSIGNED, receivedAt: daysAgo(20) });
    const early = await pool().query("DELETE FROM quarantine WHERE workspace_id = $1 AND received_at > now() - interval '90 days'", [
      made.workspaceId,
    ]);
    expect(early.rowCount).toBe(2); // the database itself keeps what verified
    await applyRetention(3);
    expect(await count(made.workspaceId)).toEqual({ verified: 5, unverified: 0 });
    const { rows } = await pool().query(
      "SELECT action, actor_kind, after->>'count' AS count FROM audit_entries WHERE workspace_id = $1 ORDER BY id",
      [made.workspaceId],
    );
    expect(rows).toEqual(["3", "3", "1"].map((n) => ({ action: "quarantine.expired", actor_kind: "system", count: n })));
    await pool().query("UPDATE sources SET retention_days = 30 WHERE workspace_id = $1", [made.workspaceId]);
    await applyRetention();
    expect(await count(made.workspaceId)).toEqual({ verified: 0, unverified: 0 });
  });
});

describe("a request that verified and could not be read", () => {
  it("is released with all others once the reader takes it, although its secret was replaced, and only once", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    for (const id of ["evt_a", "evt_b", "evt_c"]) await receiver.send(source, signed(withFraction(id)));
    await receiver.send(source, signed('{"no":"event"}'));
    await rotateSecret(workspaceId, sourceId, 0, new Date(), "the current secret");
    await rotateSecret(workspaceId, sourceId, 0, new Date(), "the secret of tomorrow");
    const release = (dryRun = false) => releaseMatching(workspaceId, { filter: { source }, dryRun }, "ada@example.com", new Date());
    expect(await release()).toMatchObject({ examined: 4, verifying: 0, stillQuarantined: 4, released: 0 });
    reader.takesFractions = true;
    expect(await release(true)).toMatchObject({ examined: 4, verifying: 3, stillQuarantined: 1, released: 0 });
    const [one, two] = await Promise.all([release(), release()]);
    expect(one.released + two.released).toBe(3);
    expect([one.repeated, two.repeated]).toEqual([0, 0]);
    expect(await release()).toMatchObject({ examined: 1, verifying: 0, released: 0 });
    expect(await eventsOf(workspaceId)).toEqual(["evt_a", "evt_b", "evt_c"].map((id) => ({ event_id: id, repeats: 0 })));
    const { rows } = await pool().query(
      "SELECT DISTINCT x.source_id FROM events e JOIN source_secrets x ON x.id = e.secret_id WHERE e.source_id = $1",
      [sourceId],
    );
    expect(rows).toEqual([{ source_id: sourceId }]); // the event names the secret that verified it
  });

  it("is released by itself, once however often and however many ask at the same time, and says so", async () => {
    const { workspaceId, source } = await makeWorkspace();
    await receiver.send(source, signed(withFraction("evt_single")));
    const [item] = (await readQuarantine(workspaceId, {}, { limit: 1 }, new Date())).data;
    const release = () => releaseQuarantined(workspaceId, item?.id ?? "", "ada@example.com", new Date());
    expect(await release()).toMatchObject({ released: false });
    reader.takesFractions = true;
    expect((await readQuarantined(workspaceId, item?.id ?? "", new Date()))?.verdict).toMatch(/can be now/);
    const results = await Promise.all([release(), release(), release()]);
    expect(results.filter((result) => result?.released)).toHaveLength(1);
    expect(await eventsOf(workspaceId)).toEqual([{ event_id: "evt_single", repeats: 0 }]);
    expect((await readQuarantined(workspaceId, item?.id ?? "", new Date()))?.releasedAt).not.toBeNull();
  });

  it("was quarantined before its secret was recorded, and is released all the same", async () => {
    const made = await makeWorkspace();
    await quarantine(made, 3, { secretId: null });
    reader.takesFractions = true;
    expect(await releaseMatching(made.workspaceId, { filter: {}, dryRun: false }, "ada@example.com", new Date())).toMatchObject({
      released: 3,
    });
  });

  it("of a megabyte is read with few others a call, so that memory is bounded", async () => {
    const made = await makeWorkspace();
    const body = (n: number) =>
      Buffer.from(withFraction(`evt_big_${n}`).replace('"metadata":{}', `"metadata":{"x":"${"y".repeat(1_000_000)}"}`));
    for (let n = 0; n < 20; n += 1) await quarantine(made, 1, { body: body(n), bodyBytes: body(n).length });
    reader.takesFractions = true;
    const calls: number[] = [];
    let cursor: string | undefined;
    do {
      const result = await releaseMatching(made.workspaceId, { filter: {}, dryRun: false, cursor }, "ada@example.com", new Date());
      calls.push(result.released);
      cursor = result.nextCursor ?? undefined;
    } while (cursor);
    expect(calls).toEqual([16, 4]);
  });
});
