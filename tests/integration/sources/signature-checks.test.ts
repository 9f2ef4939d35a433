import { randomUUID } from "node:crypto";
import { expect, it, test } from "vitest";
import { signatureCheck } from "#lib/contracts/quarantine";
import { rotateSecret } from "#lib/sources/source-store";
import { makeAccount } from "#tests/support/account";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { dumpDatabase, guisesOf } from "#tests/support/dump-database";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, sign } from "#tests/support/webhooks";
import { POST } from "../../../app/api/v1/signature-checks/route.ts";

useDatabase();
const receiver = useNodeReceiver();

async function check(cookie: string, body: unknown) {
  const headers = { cookie, origin: "http://localhost:3000", "content-type": "application/json" };
  const request = new Request("http://localhost:3000/api/v1/signature-checks", { method: "POST", headers, body: JSON.stringify(body) });
  return POST(request, { params: Promise.resolve({}) });
}

const event = envelope({ id: "evt_check", data: { documentId: "doc_é" } });
const spaced = JSON.stringify(JSON.parse(event), null, 2);

/** A body, its signature and what is said of them with the secret; each further verdict is proved in tests/unit/platform/signature-diagnosis.test.ts. */
const SECRET = "s3cret-of-the-source";
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
  const { workspaceId, source, sourceId } = await makeWorkspace();
  const { cookie } = await makeAccount({ workspaceId, role: "viewer" });
  await rotateSecret(workspaceId, sourceId, 0, new Date(), SECRET);
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
