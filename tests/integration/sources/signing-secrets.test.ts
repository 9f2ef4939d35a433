import { describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { rotateSecret } from "#lib/sources/source-store";
import { systemClock } from "#lib/time/clock";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { receiversUnderTest, type TestReceiver, useReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, SECRET, signed } from "#tests/support/webhooks";

useDatabase();

const status = async (receiver: TestReceiver, source: string, secret: string) =>
  (await receiver.send(source, signed(envelope(), secret))).status;

describe.each(receiversUnderTest())("through the $name receiver", (receiver) => {
  useReceiver(receiver);

  it("one source's signature opens no other, in this workspace or another", async () => {
    const a = await makeWorkspace();
    const b = await makeWorkspace();
    await rotateSecret(b.workspaceId, b.sourceId, 0, new Date(), "the secret of b alone");
    receiver.renew();
    expect(await status(receiver, a.source, "the secret of b alone")).toBe(401);
    expect(await status(receiver, b.source, SECRET)).toBe(401);
    expect(await status(receiver, b.source, "the secret of b alone")).toBe(200);
  });

  it("two secrets pass during a rotation, for the overlap and no longer; a third and a retired one never", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 1, new Date(), "the second secret");
    receiver.renew();
    expect([await status(receiver, source, SECRET), await status(receiver, source, "the second secret")]).toEqual([200, 200]);
    await rotateSecret(workspaceId, sourceId, 1, new Date(), "the third secret");
    receiver.renew();
    const three = [SECRET, "the second secret", "the third secret"];
    expect(await Promise.all(three.map((secret) => status(receiver, source, secret)))).toEqual([401, 200, 200]);
    await pool().query(
      "UPDATE source_secrets SET valid_until = now() - interval '2 seconds' WHERE source_id = $1 AND valid_until > now()",
      [sourceId],
    );
    receiver.renew();
    expect(await Promise.all(three.map((secret) => status(receiver, source, secret)))).toEqual([401, 401, 200]);
  });

  it("an overlap ends on time although the receiver knows the secret by heart", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 1, new Date(), "the second secret");
    let later = 0;
    // The cached secret is read again by `elapsed`, which is not moved: `now` alone ends the overlap.
    receiver.renew(createReceiver({ clock: { ...systemClock, now: () => Date.now() + later } }));
    expect(await status(receiver, source, SECRET)).toBe(200);
    later = 3_601_000;
    expect(await status(receiver, source, SECRET)).toBe(401);
    expect(await status(receiver, source, "the second secret")).toBe(200);
  });

  it("an empty secret, and none, answer 503 and keep nothing", async () => {
    const { source, sourceId } = await makeWorkspace();
    await pool().query("DELETE FROM source_secrets WHERE source_id = $1", [sourceId]);
    receiver.renew();
    expect([await status(receiver, source, ""), await status(receiver, source, SECRET)]).toEqual([503, 503]);
    const { rows } = await pool().query(
      "SELECT (SELECT count(*) FROM events WHERE source_id = $1) + (SELECT count(*) FROM quarantine WHERE source_id = $1) AS n",
      [sourceId],
    );
    expect(rows).toEqual([{ n: 0 }]);
    figure(
      `${receiver.name}: A's secret on B 401; two pass in a rotation, the third and the retired 401; the overlap ends on time; no secret 503`,
    );
  });
});
