import { beforeAll, expect, test } from "vitest";
import { env, resetEnv } from "#lib/config/env";
import { senderEventBody, senderFault } from "#lib/contracts/sandbox";
import { type KnownTemplate, SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { findOwnSource } from "#lib/flows/sources/read-sources";
import { isBasic, schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { sendAs } from "#lib/sandbox/sender-events";
import { listNewest } from "#lib/sandbox/webhooks/deliveries-store";
import { rotateSecret } from "#lib/sources/source-store";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { callRoute } from "#tests/support/routes";
import { matrixSample, valuesOf } from "#tests/support/sample";
import { HMAC, useSenders } from "#tests/support/sender-source";
import { SENDERS } from "#tests/support/senders";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ SANDBOX: "on" });
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

beforeAll(() => {
  const here = `http://127.0.0.1:${receiver.port()}`;
  resetEnv({ APP_URL: here });
});

type Sender = Awaited<ReturnType<typeof makeSender>>;

const send = async ({ workspaceId, name, secret }: Sender, asked: Record<string, unknown> = {}) => {
  const sender = await findOwnSource(workspaceId, name);
  const { requests } = await sendAs(workspaceId, sender, senderEventBody.parse({ source: name, secret, ...asked }), new Date());
  return requests.map(({ status }) => status);
};

const makeFor = (template: KnownTemplate) => {
  if (template === "hmac") return makeSender("hmac", { scheme: { hmac: HMAC } });
  if (isOfNetwork(template)) return makeSender(template, { scheme: { network: { networks: ["127.0.0.0/8"] } } });
  if (isBasic(template)) return makeSender(template, { secret: "user:a-password" });
  const { issuesSecret, facts } = TEMPLATES[template];
  const { settings, secret } = SENDERS[template];
  return makeSender(template, { ...(settings && { scheme: settings }), ...(issuesSecret && facts && { secret }) });
};

const isOfNetwork = (template: KnownTemplate) => TEMPLATES[template].takes === "network";
const canSign = (template: KnownTemplate) => {
  const { settings, secret } = SENDERS[template];
  return template !== "platform" && !schemeOf(template, settings ?? {}).onlySenderSigns?.(secret);
};

const SAMPLE = matrixSample();

test.each(SOURCE_TEMPLATES.filter(canSign).map((template, turn) => [template, turn] as const))(
  "as %s the sandbox sends an event that is stored, and a fault is answered as the receiver's table says",
  async (template, turn) => {
    const sender = await makeFor(template);
    const secret = sender.secret === "" ? SENDERS[template].secret : sender.secret;
    const own = { ...sender, secret };
    expect(await send(own)).toEqual([200]);
    for (const fault of valuesOf(SAMPLE, senderFault.options, turn)) {
      const asked = { fault, ...(fault === "retired_secret" && { retiredSecret: "whsec_c29tZXRoaW5nIHRoYXQgd2FzIHZhbGlkIG9uY2U=" }) };
      const statuses = await send(own, asked).catch((error) => [error.status, error.message]);
      if (statuses[0] === 400) expect(statuses[1]).toMatch(/this fault changes nothing/);
      else expect([200, 202, 401], `${fault}: ${statuses}`).toContain(statuses[0]);
      // Who looks for its own answer gets it for what is quarantined, too.
      if (fault === "malformed" && !TEMPLATES[template].answer) expect(statuses[0], String(statuses[1])).not.toBe(200);
      if (fault === "wrong_signature" || fault === "retired_secret") expect(statuses[0]).toBe(isOfNetwork(template) ? 400 : 401);
    }
  },
);

test("the faults of Stripe's and Twilio's are told apart in words, and stand in the sandbox's log", async () => {
  const stripe = await makeSender("stripe");
  const diagnosed = async (sender: Sender, asked: Record<string, unknown>) => {
    expect(await send(sender, asked)).toEqual([401]);
    return (await newestQuarantined(sender.workspaceId))?.diagnosis?.code;
  };
  expect(await diagnosed(stripe, { fault: "no_signature" })).toBe("header_missing");
  expect(await diagnosed(stripe, { fault: "re_encoded" })).toBe("body_changed");
  await rotateSecret(stripe.workspaceId, stripe.sourceId, 0, new Date(), "whsec_the-next-secret-of-stripe");
  receiver.renew();
  const rotated = { ...stripe, secret: "whsec_the-next-secret-of-stripe" };
  expect(await diagnosed(rotated, { fault: "retired_secret", retiredSecret: stripe.secret })).toBe("secret_retired");
  expect(await send(rotated, { fault: "clock_off" })).toEqual([200]);
  expect(await send(rotated, { fault: "duplicate" })).toEqual([200, 200, 200]);
  expect(await send(rotated, { fault: "malformed" })).toEqual([202]);
  expect(await diagnosed(await makeSender("twilio"), { fault: "wrong_url" })).toBe("url_changed");
  expect(await diagnosed(await makeSender("linear"), { fault: "clock_off" })).toBe("clock");
  const [newest] = await listNewest(stripe.workspaceId, 1);
  expect(newest).toMatchObject({ type: stripe.name, fault: "malformed", state: "delivered", lastStatus: 202, attempts: 1 });
});

test("the API sends to the workspace's own sources alone, and refuses in words what only the sender can sign", async () => {
  const { cookie } = await makeAccount({ role: "developer" });
  const body = { source: (await makeWorkspace()).source, secret: "whatever-it-is" };
  const answer = await callRoute("POST", "sandbox/api/sender-events", { cookie, origin: env().APP_URL }, { body });
  expect(answer.status).toBe(404);
  const sns = await makeFor("sns");
  await expect(send({ ...sns, secret: "" })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("only Amazon SNS can sign its requests"),
  });
});
