import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { useDatabase } from "#tests/support/database";
import { sayRaw, statusOf } from "#tests/support/raw-request";
import { useNodeReceiver } from "#tests/support/receivers";
import { HMAC, useSenders } from "#tests/support/sender-source";
import { envelope, makeWorkspace, sign } from "#tests/support/webhooks";

// How senders write the address and the proof of a request.

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

const BODY = JSON.stringify({ id: "evt_1", type: "a" });

// owncast/owncast#3376, RFC 9110 section 11.1
it.each(["bearer ", "BEARER ", "Bearer   "])("a token after %j is taken, and another is not", async (prefix) => {
  const { post, secret } = await makeSender("token");
  expect((await post(BODY, { authorization: `${prefix}${secret}` })).status).toBe(200);
  expect((await post(BODY, { authorization: `${prefix}${secret.toUpperCase()}` })).status).toBe(401);
  expect((await post(BODY, { authorization: `Token ${secret}` })).status).toBe(401);
});

it("a user name and password after basic are taken", async () => {
  const { post } = await makeSender("basic", { secret: "ada:lovelace" });
  expect((await post(BODY, { authorization: `basic ${btoa("ada:lovelace")}` })).status).toBe(200);
  expect((await post(BODY, { authorization: `basic ${btoa("ada:LOVELACE")}` })).status).toBe(401);
});

it("an HMAC in the header authorization is taken after its scheme in any case; another prefix is taken as it is", async () => {
  const hmac = { ...HMAC, header: "authorization", prefix: "HMAC " };
  const scheme = await makeSender("hmac", { scheme: { hmac } });
  const digest = (secret: string) => createHmac("sha256", secret).update(BODY).digest("hex");
  expect((await scheme.post(BODY, { authorization: `hmac ${digest(scheme.secret)}` })).status).toBe(200);
  const prefixed = await makeSender("hmac", { scheme: { hmac: { ...HMAC, prefix: "v1=" } } });
  expect((await prefixed.post(BODY, { "x-acme-signature": `V1=${digest(prefixed.secret)}` })).status).toBe(401);
});

// saleor/storefront#597: a base that ends in a slash
it.each(["//webhooks/NAME", "/webhooks//NAME", "///webhooks//NAME//", "/webhooks/NAME/?a=b"])("a POST to %s is received", async (path) => {
  const { source } = await makeWorkspace();
  const body = envelope();
  const head = [
    "POST PATH HTTP/1.1",
    "host: a",
    "connection: close",
    `x-webhook-signature: ${sign(body)}`,
    `content-length: ${body.length}`,
  ];
  const heard = await sayRaw(receiver.port() ?? 0, head.join("\r\n").replace("PATH", path.replace("NAME", source)), "\r\n\r\n", body);
  expect([statusOf(heard), heard]).toEqual([200, expect.stringContaining('"received":true')]);
});

it("a sender that signs its address with two slashes is told which one it signed", async () => {
  const { name, workspaceId, post, secret } = await makeSender("square");
  const url = `http://localhost:3000//webhooks/${name}`;
  const signature = createHmac("sha256", secret).update(url).update(BODY).digest("base64");
  expect((await post(BODY, { "x-square-hmacsha256-signature": signature })).status).toBe(401);
  const diagnosis = (await newestQuarantined(workspaceId))?.diagnosis;
  expect(diagnosis).toMatchObject({ code: "url_changed", evidence: [{ value: url }, { value: url.replace("0//", "0/") }] });
});
