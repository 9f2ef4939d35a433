import { randomUUID } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { signatureCheck } from "#lib/contracts/quarantine";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { rotateSecret } from "#lib/sources/source-store";
import { systemClock } from "#lib/time/clock";
import { makeAccount } from "#tests/support/account";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { dumpDatabase, guisesOf } from "#tests/support/dump-database";
import { useNodeReceiver } from "#tests/support/receivers";
import { callRoute } from "#tests/support/routes";
import { envelope, makeWorkspace, SECRET, sign, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

const check = (cookie: string, body: unknown): Promise<Response> =>
  callRoute("POST", "api/v1/signature-checks", { cookie, origin: "http://localhost:3000" }, { body });

const event = envelope({ id: "evt_check", data: { documentId: "doc_é" } });
const spaced = JSON.stringify(JSON.parse(event), null, 2);

/** A body, its signature and what is said of them with the secret; each further verdict is proved in tests/unit/platform/signature-diagnosis.test.ts. */
const CASES: [name: string, body: string | Buffer, header: string, status: number, code: string][] = [
  ["a valid signature", event, sign(event, SECRET), 200, "verifies"],
  ["a signature over the re-serialized body", spaced, sign(event, SECRET), 200, "verifies_reserialized"],
  ["a valid signature of no event", "{}", sign("{}", SECRET), 202, "verifies"],
  [
    "a valid signature of bytes that are no text",
    Buffer.from([0xff, 0x00, 0x01]),
    sign(Buffer.from([0xff, 0x00, 0x01]), SECRET),
    202,
    "verifies",
  ],
  ["no signature", event, "", 401, "header_missing"],
  ["a prefix", event, `sha256=${sign(event, SECRET)}`, 401, "prefix"],
  ["another secret", event, sign(event, "another"), 401, "no_match"],
];

test.each(CASES)("%s: the playground says what the receiver does", async (_name, body, header, status, code) => {
  const { workspaceId, source } = await makeWorkspace();
  const { cookie } = await makeAccount({ workspaceId, role: "viewer" });
  const sent = await receiver.send(source, { body, headers: header === "" ? {} : { "x-webhook-signature": header } });
  const answer = await check(cookie, { bodyBase64: Buffer.from(body).toString("base64"), header, secret: SECRET });
  const result = signatureCheck.parse(await answer.json());
  expect(result).toMatchObject({ status, code, verifies: status !== 401, expected: sign(body, SECRET) });
  expect(sent.status).toBe(status);
});

it("a header that was pasted with its name counts as its value", async () => {
  const { cookie } = await makeAccount();
  const answer = await check(cookie, { body: event, header: `X-Webhook-Signature: ${sign(event, SECRET)}`, secret: SECRET });
  expect(await answer.json()).toMatchObject({ status: 200, received: sign(event, SECRET) });
});

it("nothing of it is stored, logged or said in an error, wrong requests neither", async () => {
  const { cookie } = await makeAccount();
  const secret = `canary-${randomUUID()}`;
  const body = envelope({ id: `evt_${randomUUID()}` });
  const log = captureLog();
  try {
    const answers = [
      await check(cookie, { body, header: sign(body, secret), secret }),
      await check(cookie, { body, header: "x", secret: secret.repeat(20) }),
      await check(cookie, { body, bodyBase64: "e30=", header: "x", secret }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400]);
    const said = (await Promise.all(answers.map((answer) => answer.text()))).join();
    const everything = `${await dumpDatabase()}${log.text()}${said}`;
    for (const guise of guisesOf(secret)) expect(everything).not.toContain(guise);
    expect(`${await dumpDatabase()}${log.text()}`).not.toContain(JSON.parse(body).id);
  } finally {
    log.stop();
  }
});

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
