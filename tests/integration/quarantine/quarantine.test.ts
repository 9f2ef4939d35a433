import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Actor } from "#lib/auth/actor";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { QuarantineCauseFilter } from "#lib/contracts/quarantine-filters";
import { pool } from "#lib/db/pool";
import { diagnoseRound, readDiagnoses } from "#lib/flows/quarantine/diagnoses";
import { dismissQuarantined, readQuarantine, readQuarantined } from "#lib/flows/quarantine/quarantine";
import { releaseMatching } from "#lib/flows/quarantine/release-quarantined";
import { insertQuarantine } from "#lib/ingest/quarantine-insert-store";
import { countQuarantined } from "#lib/quarantine/quarantine-store";
import { ensureSource } from "#lib/sources/source-store";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { expectPace } from "#tests/support/pace";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, SECRET, sign, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

/** Sends what is refused and returns its diagnosis as the API gives it. */
async function refusedAs(workspaceId: WorkspaceId, source: string, body: string, signature: string | undefined) {
  const answer = await receiver.send(source, { body, headers: signature === undefined ? {} : { "x-webhook-signature": signature } });
  expect(answer.status).toBe(401);
  const [newest] = (await readQuarantine(workspaceId, {}, { limit: 1 }, new Date())).data;
  const detail = await readQuarantined(workspaceId, newest?.id ?? "", new Date());
  expect(newest?.verdict).toBe(detail?.verdict);
  return detail?.diagnosis;
}

describe("a refused request", () => {
  it("carries its verdict in the list and by itself, in the same words", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const body = envelope();
    expect(await refusedAs(workspaceId, source, body, undefined)).toMatchObject({ code: "header_missing", verifiesNow: false });
    expect(await refusedAs(workspaceId, source, body, `sha256=${sign(body)}`)).toMatchObject({ code: "prefix" });
    expect(await refusedAs(workspaceId, source, body, sign(`${body}\n`))).toMatchObject({ code: "body_changed" });
    expect(await refusedAs(workspaceId, source, body, sign(body, `${SECRET}\n`))).toMatchObject({ code: "secret_trimmed" });
    expect(await refusedAs(workspaceId, source, body, SECRET)).toMatchObject({ code: "secret_sent" });
  });

  it("shows what its body claims, and nothing of a large, odd or unreadable one", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const claimed = async (body: string) => {
      await refusedAs(workspaceId, source, body, undefined);
      const [newest] = (await readQuarantine(workspaceId, {}, { limit: 1 }, new Date())).data;
      expect((await readQuarantined(workspaceId, newest?.id ?? "", new Date()))?.claimed).toEqual(newest?.claimed);
      return newest?.claimed;
    };
    const body = envelope({ id: "evt_claimed", type: "document.processed", data: { documentId: "doc_1" } });
    expect(await claimed(body)).toEqual({ id: "evt_claimed", type: "document.processed", subject: "document doc_1" });
    expect(await claimed(envelope({ id: "evt_2", type: "no.such", data: {} }))).toEqual({ id: "evt_2", type: "no.such", subject: null });
    expect(await claimed(envelope({ id: `evt\n${"x".repeat(5000)}`, data: {} }))).toBeNull();
    expect(await claimed(envelope({ data: { documentId: "doc_1", text: "x".repeat(9000) } }))).toBeNull();
    expect(await claimed("not JSON")).toBeNull();
  });

  it("is held against the secrets of the same workspace's other sources, and of no other workspace", async () => {
    const mine = await makeWorkspace();
    const foreign = await makeWorkspace();
    await ensureSource(mine.workspaceId, `${mine.source}-b`, "the secret of the other source", { now: new Date() });
    await ensureSource(foreign.workspaceId, `${foreign.source}-b`, "the secret of a stranger", { now: new Date() });
    const body = envelope();
    expect(await refusedAs(mine.workspaceId, mine.source, body, sign(body, "the secret of the other source"))).toMatchObject({
      code: "secret_of_another_source",
      verdict: expect.stringContaining(`${mine.source}-b`),
    });
    expect(await refusedAs(mine.workspaceId, mine.source, body, sign(body, "the secret of a stranger"))).toMatchObject({
      code: "no_match",
    });
  });

  it("that verifies now but is no event is not called admissible", async () => {
    const { workspaceId, source } = await makeWorkspace();
    await refusedAs(workspaceId, source, "{}", sign("{}", "the right secret"));
    await ensureSource(workspaceId, source, "the right secret", { now: new Date() });
    const [item] = (await readQuarantine(workspaceId, {}, { limit: 1 }, new Date())).data;
    expect(item?.diagnosis).toMatchObject({ code: "verifies", verifiesNow: false, fix: expect.stringContaining("invalid event") });
  });

  it("of a page of 200 large bodies is diagnosed within bounds, the rest by the worker", { tags: ["deep"] }, async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const body = JSON.stringify({ text: "é/<".repeat(12_000) });
    await pool().query(
      `INSERT INTO quarantine (id, workspace_id, source_id, received_at, reason, detail, verified, body, body_bytes, headers)
       SELECT $1 || n, $2, $3, now(), 'signature_mismatch', '', false, $4, $5, $6 FROM generate_series(1, 200) n`,
      [
        `qtn_${sourceId}`,
        workspaceId,
        sourceId,
        Buffer.from(body),
        Buffer.byteLength(body),
        { "x-webhook-signature": createHash("sha256").digest("hex") },
      ],
    );
    const seen: number[] = [];
    for (let look = 0; look < 2; look += 1) {
      const started = performance.now();
      const { data } = await readQuarantine(workspaceId, {}, { limit: 200 }, new Date());
      expectPace(performance.now() - started, 2000);
      seen.push(data.filter(({ diagnosis }) => diagnosis !== null).length);
      await diagnoseRound({ spendMs: 5000 })();
    }
    expect(seen[0]).toBeGreaterThan(0);
    expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);
  });
});

type World = Awaited<ReturnType<typeof makeWorkspace>>;

async function keep({ workspaceId, sourceId }: World, id: string, remoteAddress: string, receivedAt: string): Promise<void> {
  const body = Buffer.from(envelope({ id, data: { documentId: `doc_${id}`, note: `Rechnung für ${id}` } }));
  const request = { body, bodyBytes: body.length, headers: { "x-webhook-signature": sign(body, "another") }, remoteAddress };
  const verdict = { reason: "signature_mismatch", detail: "It does not match.", verified: false } as const;
  await insertQuarantine(pool(), [{ workspaceId, sourceId, receivedAt: new Date(receivedAt), ...verdict, ...request }]);
}

describe("the search, the IP address and the time of quarantined requests", () => {
  it("narrow the list, the causes, a release and a dismissal alike", async () => {
    const world = await makeWorkspace();
    const { workspaceId } = world;
    await keep(world, "alpha", "192.0.2.1", "2026-03-01T10:00:00Z");
    await keep(world, "beta", "192.0.2.77", "2026-03-02T10:00:00Z");
    await keep(world, "gamma", "198.51.100.7", "2026-03-03T10:00:00Z");
    await keep(world, "delta", "2001:db8::7", "2026-03-04T10:00:00Z");
    await keep(await makeWorkspace(), "alpha", "192.0.2.1", "2026-03-02T10:00:00Z"); // another workspace's
    const cases: [QuarantineCauseFilter, number][] = [
      [{ q: "für beta" }, 1],
      [{ q: "FÜR BETA" }, 0],
      [{ q: "doc_" }, 4],
      [{ q: "198.51" }, 1],
      [{ q: "DOES not match" }, 4],
      [{ q: "100%_" }, 0],
      [{ ip: "192.0.2.1" }, 1],
      [{ ip: "192.0.2.0/24" }, 2],
      [{ ip: "2001:db8::/32" }, 1],
      [{ from: "2026-03-02T00:00:00Z" }, 3],
      [{ from: "2026-03-02T00:00:00Z", to: "2026-03-03T10:00:00Z" }, 1],
      [{ ip: "192.0.2.0/24", q: "alpha", source: world.source, reason: "signature_mismatch" }, 1],
    ];
    for (const [filter, count] of cases) {
      const listed = (await readQuarantine(workspaceId, filter, { limit: 50 }, new Date())).data.length;
      const { total } = await readDiagnoses(workspaceId, filter);
      const { examined } = await releaseMatching(workspaceId, { filter, dryRun: true }, "ada", new Date());
      expect([filter, listed, total, examined]).toEqual([filter, count, count, count]);
    }
    const ada: Actor = { workspaceId, workspaceName: "w", role: "owner", by: { kind: "key", keyId: "key_1", name: "script" } };
    expect((await dismissQuarantined(unaudited(ada), { ip: "192.0.2.0/24" })).dismissed).toBe(2);
    expect(await countQuarantined(workspaceId)).toBe(2);
    expect((await readDiagnoses(workspaceId, {})).total).toBe(2);
  });
});

describe("a quarantined request's page", () => {
  it("says at which byte, line and column a verified body stops being JSON", async () => {
    const { workspaceId, source } = await makeWorkspace();
    expect((await receiver.send(source, signed('{"id":"a",\n "type" "b"}'))).status).toBe(202);
    const [entry] = (await readQuarantine(workspaceId, {}, { limit: 1 }, new Date())).data;
    const detail = await readQuarantined(workspaceId, entry?.id ?? "", new Date());
    expect(detail?.parseError).toEqual({
      offset: 19,
      line: 2,
      column: 9,
      near: { before: '{"id":"a",\n "type" ', at: '"', after: 'b"}' },
    });
  });

  it("holds the beginnings of the received and of each expected digest, and no whole one", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const body = envelope({ id: "forged" });
    await receiver.send(source, signed(body, "somebody else's"));
    const [entry] = (await readQuarantine(workspaceId, {}, { limit: 1 }, new Date())).data;
    const digests = entry?.diagnosis?.evidence.flatMap(({ digest }) => digest ?? []);
    expect(digests).toEqual([sign(body, "somebody else's").slice(0, 8), sign(body).slice(0, 8)]);
    expect(JSON.stringify(entry)).not.toContain(sign(body));
  });
});
