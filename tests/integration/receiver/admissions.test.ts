import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/ids";
import { type AdmissionsBody, type AdmissionsResult, quarantineDetail } from "#lib/contracts/quarantine";
import { pool } from "#lib/db/pool";
import { rotateSecret } from "#lib/events/source-store";
import { admitMatching } from "#lib/flows/admit-quarantined";
import { readEvent } from "#lib/flows/read-event";
import { readQuarantine, readQuarantined } from "#lib/flows/read-quarantine";
import { resetReceiver } from "#lib/flows/receive-webhook";
import { useDatabase } from "#tests/support/database";
import { useNativeDoor } from "#tests/support/doors";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

useDatabase();
const door = useNativeDoor();
beforeEach(() => resetReceiver());

const RIGHT = "the secret that the platform signs with";

/** Calls until nothing is left, as a page or a script does. */
async function admitAll(workspaceId: WorkspaceId, filter: AdmissionsBody["filter"], dryRun = false): Promise<AdmissionsResult[]> {
  const calls: AdmissionsResult[] = [];
  let cursor: string | undefined;
  do {
    const result = await admitMatching(workspaceId, { filter, dryRun, ...(cursor && { cursor }) }, "ada@example.com");
    calls.push(result);
    cursor = result.nextCursor ?? undefined;
  } while (cursor);
  return calls;
}

const eventIds = async (workspaceId: WorkspaceId) =>
  (await pool().query<{ event_id: string }>("SELECT event_id FROM events WHERE workspace_id = $1 ORDER BY seq", [workspaceId])).rows.map(
    ({ event_id }) => event_id,
  );

describe("re-verify and admit", () => {
  it("lets in what verifies once the secret is set right, in the order in which it came, and nothing else", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    for (const id of ["a", "b", "c"]) await door.knock(source, signed(envelope({ id }), RIGHT));
    await door.knock(source, signed(envelope({ id: "forged" }), "somebody else's secret"));
    await door.knock(source, { body: envelope({ id: "unsigned" }) });
    await door.knock(source, signed("{}", RIGHT)); // signed rightly, but no event
    expect(await admitAll(workspaceId, {}, true)).toMatchObject([{ examined: 6, verifying: 0, stillRefused: 6, admitted: 0 }]);
    await rotateSecret(workspaceId, sourceId, 1, RIGHT);
    expect(await admitAll(workspaceId, {}, true)).toMatchObject([{ examined: 6, verifying: 3, stillRefused: 3, admitted: 0 }]);
    expect(await eventIds(workspaceId)).toEqual([]);
    expect(await admitAll(workspaceId, {})).toMatchObject([{ verifying: 3, admitted: 3, repeated: 0, failed: 0, stillRefused: 3 }]);
    expect(await eventIds(workspaceId)).toEqual(["a", "b", "c"]);
    expect((await readEvent(workspaceId, "a"))?.verification.form).toBe("admitted");
    expect(await admitAll(workspaceId, {})).toMatchObject([{ examined: 3, admitted: 0 }]);
  });

  it("admits nothing that only a diagnosis explains: prefixed, retired, trimmed, or changed on the way", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 0, RIGHT);
    resetReceiver();
    const body = envelope();
    const headers = (value: string) => ({ "x-webhook-signature": value });
    await door.knock(source, { body, headers: headers(`sha256=${sign(body, RIGHT)}`) });
    await door.knock(source, signed(body)); // the secret that was rotated away
    await door.knock(source, signed(body, `${RIGHT}\n`));
    await door.knock(source, { body, headers: headers(sign(`${body}\n`, RIGHT)) });
    await door.knock(source, { body, headers: headers(`${sign(body, RIGHT)}, ${sign(body, RIGHT)}`) });
    const { data } = await readQuarantine(workspaceId, { limit: 10 });
    expect(data.map(({ diagnosis }) => diagnosis?.code)).toEqual([
      "header_repeated",
      "body_changed",
      "secret_trimmed",
      "secret_retired",
      "prefix",
    ]);
    expect(data.every(({ diagnosis }) => diagnosis?.verifiesNow === false)).toBe(true);
    expect(await admitAll(workspaceId, {})).toMatchObject([{ examined: 5, verifying: 0, admitted: 0 }]);
    expect(await eventIds(workspaceId)).toEqual([]);
  });

  it("counts an event that came again meanwhile as one that the log had", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    const message = signed(envelope({ id: "again" }), RIGHT);
    await door.knock(source, message);
    await door.knock(source, message);
    await rotateSecret(workspaceId, sourceId, 1, RIGHT);
    expect(await admitAll(workspaceId, {})).toMatchObject([{ verifying: 2, admitted: 1, repeated: 1 }]);
    expect(await eventIds(workspaceId)).toEqual(["again"]);
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
    await rotateSecret(workspaceId, sourceId, 1, RIGHT);
    expect(await admitAll(foreign.workspaceId, { ids: [rows[0]?.id ?? ""] })).toMatchObject([{ examined: 0 }]);
    expect(await admitAll(foreign.workspaceId, { source })).toMatchObject([{ examined: 0 }]);
    expect(await admitAll(workspaceId, { reason: "signature_missing" })).toMatchObject([{ examined: 0 }]);
    expect(await admitAll(workspaceId, { source: "another" })).toMatchObject([{ examined: 0 }]);
    expect(await admitAll(workspaceId, { ids: [rows[7]?.id ?? ""] })).toMatchObject([{ examined: 1, admitted: 1 }]);
    const calls = await admitAll(workspaceId, { source, reason: "signature_mismatch" });
    expect(calls.map(({ admitted }) => admitted)).toEqual([200, 200, 49]);
    expect(await eventIds(workspaceId)).toHaveLength(450);
  });

  it("gives the API the diagnosis in its declared shape", async () => {
    const { workspaceId, source } = await makeWorkspace();
    await door.knock(source, signed(envelope(), RIGHT));
    const [item] = (await readQuarantine(workspaceId, { limit: 1 })).data;
    const detail = await readQuarantined(workspaceId, item?.id ?? "");
    expect(quarantineDetail.parse(detail).diagnosis).toMatchObject({ code: "no_match", evidence: expect.any(Array) });
  });

  it("refuses a secret that is the active one already", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 1, RIGHT);
    await expect(rotateSecret(workspaceId, sourceId, 1, RIGHT)).rejects.toMatchObject({ code: "conflict" });
  });
});
