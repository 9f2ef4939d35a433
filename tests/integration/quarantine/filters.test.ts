import { describe, expect, it } from "vitest";
import type { Actor } from "#lib/auth/actor";
import type { QuarantineCauseFilter } from "#lib/contracts/quarantine-filters";
import { pool } from "#lib/db/pool";
import { readDiagnoses } from "#lib/flows/quarantine/diagnoses";
import { dismissQuarantined, readQuarantine, readQuarantined } from "#lib/flows/quarantine/quarantine";
import { releaseMatching } from "#lib/flows/quarantine/release-quarantined";
import { insertQuarantine } from "#lib/ingest/quarantine-insert-store";
import { countQuarantined } from "#lib/quarantine/quarantine-store";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

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
    expect((await dismissQuarantined(contextOf(ada, { audit: noAudit }), { ip: "192.0.2.0/24" })).dismissed).toBe(2);
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
