import { describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { rotateSecret } from "#lib/sources/source-store";
import { systemClock } from "#lib/time/clock";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, SECRET, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

const status = async (source: string, secret: string) => (await receiver.send(source, signed(envelope(), secret))).status;

describe("a source's secrets", () => {
  it("one source's signature opens no other, in this workspace or another", async () => {
    const a = await makeWorkspace();
    const b = await makeWorkspace();
    await rotateSecret(b.workspaceId, b.sourceId, 0, new Date(), "the secret of b alone");
    receiver.renew();
    expect(await status(a.source, "the secret of b alone")).toBe(401);
    expect(await status(b.source, SECRET)).toBe(401);
    expect(await status(b.source, "the secret of b alone")).toBe(200);
  });

  it("two secrets pass during a rotation, for the overlap and no longer; a third and a retired one never", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 1, new Date(), "the second secret");
    receiver.renew();
    expect([await status(source, SECRET), await status(source, "the second secret")]).toEqual([200, 200]);
    await rotateSecret(workspaceId, sourceId, 1, new Date(), "the third secret");
    receiver.renew();
    const three = [SECRET, "the second secret", "the third secret"];
    expect(await Promise.all(three.map((secret) => status(source, secret)))).toEqual([401, 200, 200]);
    await pool().query(
      "UPDATE source_secrets SET valid_until = now() - interval '2 seconds' WHERE source_id = $1 AND valid_until > now()",
      [sourceId],
    );
    receiver.renew();
    expect(await Promise.all(three.map((secret) => status(source, secret)))).toEqual([401, 401, 200]);
  });

  it("an overlap ends on time although the receiver knows the secret by heart", async () => {
    const { workspaceId, source, sourceId } = await makeWorkspace();
    await rotateSecret(workspaceId, sourceId, 1, new Date(), "the second secret");
    let later = 0;
    // The cached secret is read again by `elapsed`, which is not moved: `now` alone ends the overlap.
    receiver.renew(createReceiver({ clock: { ...systemClock, now: () => Date.now() + later } }));
    expect(await status(source, SECRET)).toBe(200);
    later = 3_601_000;
    expect(await status(source, SECRET)).toBe(401);
    expect(await status(source, "the second secret")).toBe(200);
  });
});
