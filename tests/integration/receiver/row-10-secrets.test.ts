import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { rotateSecret } from "#lib/events/source-store";
import { resetReceiver } from "#lib/flows/receive-webhook";
import { useDatabase } from "#tests/support/database";
import { type Door, nativeDoor, routeDoor } from "#tests/support/doors";
import { figure } from "#tests/support/figure";
import { envelope, makeWorkspace, SECRET, signed } from "#tests/support/webhooks";

useDatabase();

const status = async (door: Door, source: string, secret: string) => (await door.knock(source, signed(envelope(), secret))).status;

describe.each([nativeDoor(), routeDoor()])("through the $name door", (door) => {
  beforeAll(() => door.open());
  afterAll(() => door.close());
  beforeEach(() => resetReceiver());

  it("one source's signature opens no other, in this workspace or another", async () => {
    const a = await makeWorkspace();
    const b = await makeWorkspace();
    await rotateSecret(b.workspaceId, b.sourceId, 0, "the secret of b alone");
    resetReceiver();
    expect(await status(door, a.source, "the secret of b alone")).toBe(401);
    expect(await status(door, b.source, SECRET)).toBe(401);
    expect(await status(door, b.source, "the secret of b alone")).toBe(200);
  });

  it("two secrets pass during a rotation, for the overlap and no longer; a third and a retired one never", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 1, "the second secret");
    resetReceiver();
    expect([await status(door, source, SECRET), await status(door, source, "the second secret")]).toEqual([200, 200]);
    await rotateSecret(workspaceId, sourceId, 1, "the third secret");
    resetReceiver();
    const three = [SECRET, "the second secret", "the third secret"];
    expect(await Promise.all(three.map((secret) => status(door, source, secret)))).toEqual([401, 200, 200]);
    await pool().query(
      "UPDATE source_secrets SET valid_until = now() - interval '2 seconds' WHERE source_id = $1 AND valid_until > now()",
      [sourceId],
    );
    resetReceiver();
    expect(await Promise.all(three.map((secret) => status(door, source, secret)))).toEqual([401, 401, 200]);
  });

  it("an overlap ends on time although the receiver knows the secret by heart", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 0.0006, "the second secret"); // 2.16 s
    resetReceiver();
    expect(await status(door, source, SECRET)).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await status(door, source, SECRET)).toBe(401);
    expect(await status(door, source, "the second secret")).toBe(200);
  });

  it("an empty secret, and none, answer 503 and keep nothing", async () => {
    const { source, sourceId } = await makeWorkspace();
    await pool().query("DELETE FROM source_secrets WHERE source_id = $1", [sourceId]);
    resetReceiver();
    expect([await status(door, source, ""), await status(door, source, SECRET)]).toEqual([503, 503]);
    const { rows } = await pool().query(
      "SELECT (SELECT count(*) FROM events WHERE source_id = $1) + (SELECT count(*) FROM quarantine WHERE source_id = $1) AS n",
      [sourceId],
    );
    expect(rows).toEqual([{ n: 0 }]);
    figure(
      10,
      `${door.name}: A's secret on B 401; two pass in a rotation, the third and the retired 401; the overlap ends on time; no secret 503`,
    );
  });
});
