import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { testDestination } from "#lib/flows/forwarding/test-destination";
import { sendAttempt, TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { checkTarget, type Resolve, readTargetUrl } from "#lib/forwarding/check-target";
import { openCheckedSocket } from "#lib/forwarding/checked-socket";
import { useDatabase } from "#tests/support/database";
import { asOwner, makeDestination, receiveAndApply } from "#tests/support/forwarding/destinations";
import { startSenders, until } from "#tests/support/forwarding/senders";
import { startTarget, type Target } from "#tests/support/forwarding/target";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

/** Listens on every address of this machine; nothing may ever come. */
let victim: Target;
beforeAll(async () => {
  victim = await startTarget();
});
afterAll(() => victim.close());

const PUBLIC = "93.184.216.34";
const answers =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

const attempt = (url: string, resolve?: Resolve) => {
  const read = readTargetUrl(url);
  if (!read.ok) return { outcome: "refused" };
  const connection = new TargetConnection(read.target, resolve);
  return sendAttempt(connection, { path: "/", headers: {}, body: Buffer.from("{}") }, new Date(), new AbortController().signal).finally(
    () => connection.close(),
  );
};

/** Every way to write an address of this machine, or of a private network. */
const literals = (port: number) =>
  [
    ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001", "0x7f.0.0.1", "127.0.0.1.", "0.0.0.0", "0", "[::]", "[::1]"],
    ...[
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
      "[::127.0.0.1]",
      "localhost",
      "localhost.",
      "LOCALHOST",
    ],
  ].map((host) => `https://${host}:${port}/`);

describe("private targets", () => {
  test("are refused on Save, on Test and on delivery, in every form, and nothing is connected to", async () => {
    const { workspaceId, source } = await makeWorkspace();
    for (const url of [...literals(victim.port), ...literals(victim.port).map((each) => each.replace("https:", "http:"))])
      await expect(makeDestination(workspaceId, { url }), url).rejects.toThrow(/FORWARD_ALLOW|never sends there|https:\/\//);
    // As if it had been saved under another rule: Test and delivery ask again.
    const { id } = await makeDestination(workspaceId, { url: "https://app.invalid/" });
    for (const url of literals(victim.port)) {
      await pool().query("UPDATE destinations SET url = $2 WHERE id = $1", [id, url]);
      expect(await testDestination(asOwner(workspaceId), id), url).toMatchObject({
        outcome: "refused",
      });
      expect(await attempt(url), url).toMatchObject({ outcome: "refused" });
    }
    const senders = startSenders();
    await receiveAndApply(source);
    await until(
      async () => (await pool().query<{ code: string }>("SELECT last_code AS code FROM forward_deliveries")).rows,
      ([row]) => row?.code === "refused",
    );
    await senders.stop();
    expect(victim.received).toHaveLength(0);
  });

  test("stay out of reach behind names: private answers, one public and one private, and a name that changes between check and connect", async () => {
    const url = `https://app.example:${victim.port}/`;
    for (const addresses of [
      ["127.0.0.1"],
      ["::1"],
      [PUBLIC, "127.0.0.1"],
      ["127.0.0.1", PUBLIC],
      ["::ffff:127.0.0.1"],
      ["169.254.169.254"],
    ]) {
      expect(await checkTarget(url, answers(...addresses))).toMatchObject({ ok: false, code: "refused" });
      expect(await attempt(url, answers(...addresses))).toMatchObject({ outcome: "refused" });
    }
    let asked = 0;
    const rebinding: Resolve = async () => (asked++ === 0 ? [PUBLIC] : ["127.0.0.1"]);
    expect(await checkTarget(url, rebinding)).toMatchObject({ ok: true, addresses: [PUBLIC] });
    expect(await attempt(url, rebinding)).toMatchObject({ outcome: "refused" });
    // Asked once for each connection: there is no second answer to be misled by.
    expect(asked).toBe(2);
    expect(victim.received).toHaveLength(0);
  });

  test("a redirect to one is not followed", async () => {
    const allowed = await startTarget((_one, _request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${victim.port}/` }).end();
    });
    resetEnv({ FORWARD_ALLOW: "127.0.0.1" });
    expect(await attempt(allowed.url)).toMatchObject({
      outcome: "redirected",
      detail: expect.stringContaining("redirect to http://127.0.0.1"),
    });
    await allowed.close();
    expect(victim.received).toHaveLength(0);
  });

  test("FORWARD_ALLOW opens a range or a name, and nothing beside it", async () => {
    const url = `http://app.example:${victim.port}/`;
    resetEnv({ FORWARD_ALLOW: "app.example" });
    const { socket } = await openCheckedSocket(url, answers("127.0.0.1"));
    socket.destroy();
    expect(await checkTarget(url.replace("app.", "other."), answers("127.0.0.1"))).toMatchObject({ ok: false });
    expect(await checkTarget(url, answers("169.254.169.254"))).toMatchObject({ ok: false });
    resetEnv({ FORWARD_ALLOW: "127.0.0.2/32" });
    expect(await checkTarget(`http://127.0.0.1:${victim.port}/`)).toMatchObject({ ok: false });
    // Plain HTTP is for what is allowed alone.
    expect(await checkTarget("http://app.example/", answers(PUBLIC))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("https://"),
    });
    expect(victim.received).toHaveLength(0);
  });
});
