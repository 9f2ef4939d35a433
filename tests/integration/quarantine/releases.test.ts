import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ReleasesBody, ReleasesResult } from "#lib/contracts/quarantine";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { diagnoseRound } from "#lib/flows/quarantine/diagnoses";
import { readQuarantine } from "#lib/flows/quarantine/quarantine";
import { releaseMatching, releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { rotateSecret } from "#lib/sources/source-store";
import { useDatabase } from "#tests/support/database";
import { untilBlocked } from "#tests/support/other-session";
import { useNodeReceiver } from "#tests/support/receivers";
import { pauseBefore, useStatements } from "#tests/support/statements";
import { envelope, eventIdsOf, makeWorkspace, sign, signed } from "#tests/support/webhooks";

useDatabase();
useStatements();
const receiver = useNodeReceiver();

const RIGHT = "the secret that the platform signs with";

/** Calls until nothing is left, as a page or a script does. */
async function releaseAll(workspaceId: WorkspaceId, filter: ReleasesBody["filter"], dryRun = false): Promise<ReleasesResult[]> {
  const calls: ReleasesResult[] = [];
  let cursor: string | undefined;
  do {
    const result = await releaseMatching(workspaceId, { filter, dryRun, ...(cursor && { cursor }) }, "ada@example.com", new Date());
    calls.push(result);
    cursor = result.nextCursor ?? undefined;
  } while (cursor);
  return calls;
}

describe("verify it again and release", () => {
  it("lets in what verifies once the secret is set right, in the order in which it came, and nothing else", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    for (const id of ["a", "b", "c"]) await receiver.send(source, signed(envelope({ id }), RIGHT));
    await receiver.send(source, signed(envelope({ id: "forged" }), "somebody else's secret"));
    await receiver.send(source, { body: envelope({ id: "unsigned" }) });
    await receiver.send(source, signed("{}", RIGHT)); // signed rightly, but no event
    expect(await releaseAll(workspaceId, {}, true)).toMatchObject([{ examined: 6, verifying: 0, stillQuarantined: 6, released: 0 }]);
    await rotateSecret(workspaceId, sourceId, 1, new Date(), RIGHT);
    expect(await releaseAll(workspaceId, {}, true)).toMatchObject([{ examined: 6, verifying: 3, stillQuarantined: 3, released: 0 }]);
    expect(await eventIdsOf(workspaceId)).toEqual([]);
    expect(await releaseAll(workspaceId, {})).toMatchObject([{ verifying: 3, released: 3, repeated: 0, failed: 0, stillQuarantined: 3 }]);
    expect(await eventIdsOf(workspaceId)).toEqual(["a", "b", "c"]);
    expect((await readEvent(workspaceId, "a"))?.verification.form).toBe("released");
    expect(await releaseAll(workspaceId, {})).toMatchObject([{ examined: 3, released: 0 }]);
  });

  it("releases nothing that only a diagnosis explains: prefixed, retired, trimmed, or changed on the way", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 0, new Date(), RIGHT);
    receiver.renew();
    const body = envelope();
    const headers = (value: string) => ({ "x-webhook-signature": value });
    await receiver.send(source, { body, headers: headers(`sha256=${sign(body, RIGHT)}`) });
    await receiver.send(source, signed(body)); // the secret that was rotated away
    await receiver.send(source, signed(body, `${RIGHT}\n`));
    await receiver.send(source, { body, headers: headers(sign(`${body}\n`, RIGHT)) });
    await receiver.send(source, { body, headers: headers(`${sign(body, RIGHT)}, ${sign(body, RIGHT)}`) });
    await diagnoseRound({ spendMs: 60_000 })(); // a list diagnoses for a short time only
    const { data } = await readQuarantine(workspaceId, {}, { limit: 10 }, new Date());
    expect(data.map(({ diagnosis }) => diagnosis?.code)).toEqual([
      "header_repeated",
      "body_changed",
      "secret_trimmed",
      "secret_retired",
      "prefix",
    ]);
    expect(data.every(({ diagnosis }) => diagnosis?.verifiesNow === false)).toBe(true);
    expect(await releaseAll(workspaceId, {})).toMatchObject([{ examined: 5, verifying: 0, released: 0 }]);
    expect(await eventIdsOf(workspaceId)).toEqual([]);
  });

  it("counts an event that came again meanwhile as one that the log had", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    const message = signed(envelope({ id: "again" }), RIGHT);
    await receiver.send(source, message);
    await receiver.send(source, message);
    await rotateSecret(workspaceId, sourceId, 1, new Date(), RIGHT);
    expect(await releaseAll(workspaceId, {})).toMatchObject([{ verifying: 2, released: 1, repeated: 1 }]);
    expect(await eventIdsOf(workspaceId)).toEqual(["again"]);
  });

  it("by two people at once stores the event once, and one of them hears that it was released already", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await receiver.send(source, signed(envelope({ id: "both" }), RIGHT));
    await rotateSecret(workspaceId, sourceId, 1, new Date(), RIGHT);
    const id = (await readQuarantine(workspaceId, {}, { limit: 1 }, new Date())).data[0]?.id ?? "";
    const pause = pauseBefore(/UPDATE quarantine SET released_at/);
    const first = releaseQuarantined(workspaceId, id, "Ada", new Date());
    await pause.reached;
    const second = releaseQuarantined(workspaceId, id, "Grace", new Date());
    await untilBlocked("SELECT 1 FROM quarantine%");
    pause.release();
    expect(await first).toMatchObject({ released: true, eventId: "both", reason: null });
    expect(await second).toMatchObject({ released: false, reason: "It was already released." });
    expect(await eventIdsOf(workspaceId)).toEqual(["both"]);
    const { rows } = await pool().query("SELECT released_by AS by FROM quarantine WHERE id = $1", [id]);
    expect(rows).toEqual([{ by: "Ada" }]);
  });

  it("goes through thousands in bounded calls, by source, reason and ids, and never touches another workspace", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    const foreign = await makeWorkspace();
    const body = (n: number) => envelope({ id: `e${n}` });
    const rows = Array.from({ length: 450 }, (_, n) => ({ id: `qtn_${sourceId}_${n}`, body: body(n) }));
    await pool().query(
      `INSERT INTO quarantine (id, workspace_id, source_id, received_at, reason, detail, verified, body, body_bytes, headers)
       SELECT u.id, $1, $2, now() - interval '1 hour' + u.n * interval '1 ms', 'signature_mismatch', '', false, u.body, octet_length(u.body), u.headers
         FROM unnest($3::text[], $4::bytea[], $5::jsonb[]) WITH ORDINALITY AS u(id, body, headers, n)`,
      [
        workspaceId,
        sourceId,
        rows.map(({ id }) => id),
        rows.map((row) => Buffer.from(row.body)),
        rows.map((row) => JSON.stringify({ "x-webhook-signature": sign(row.body, RIGHT) })),
      ],
    );
    await rotateSecret(workspaceId, sourceId, 1, new Date(), RIGHT);
    expect(await releaseAll(foreign.workspaceId, { ids: [rows[0]?.id ?? ""] })).toMatchObject([{ examined: 0 }]);
    expect(await releaseAll(foreign.workspaceId, { source })).toMatchObject([{ examined: 0 }]);
    expect(await releaseAll(workspaceId, { reason: "signature_missing" })).toMatchObject([{ examined: 0 }]);
    expect(await releaseAll(workspaceId, { source: "another" })).toMatchObject([{ examined: 0 }]);
    expect(await releaseAll(workspaceId, { ids: [rows[7]?.id ?? ""] })).toMatchObject([{ examined: 1, released: 1 }]);
    const calls = await releaseAll(workspaceId, { source, reason: "signature_mismatch" });
    expect(calls.map(({ released }) => released)).toEqual([200, 200, 49]);
    expect(await eventIdsOf(workspaceId)).toHaveLength(450);
  });

  it("refuses a secret that is the active one already", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 1, new Date(), RIGHT);
    await expect(rotateSecret(workspaceId, sourceId, 1, new Date(), RIGHT)).rejects.toMatchObject({ code: "conflict" });
  });
});
