import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { parseEnv } from "#lib/config/env";
import { rotateSecretBody } from "#lib/contracts/auth/settings";
import { createSourceBody } from "#lib/contracts/sources/sources";
import { createSource } from "#lib/flows/sources/manage-sources";
import { ensureSource } from "#lib/sources/source-store";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { envelope, makeWorkspace, sign } from "#tests/support/webhooks";

// Secrets as people paste them. standard-webhooks/standard-webhooks#235, onedr0p/exportarr#327, linuxserver/docker-speedtest-tracker#23

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

/** Bytes whose base64 has the two characters that the alphabets differ in. */
const KEY = Buffer.from("fbefbefbfffffbefbefbfffffbefbefbfffffbef", "hex");
const standard = KEY.toString("base64");
const forUrls = KEY.toString("base64url");

it.each([
  ["v1,whsec_ and base64", `v1,whsec_${standard}`],
  ["whsec_ and base64url", `whsec_${forUrls}`],
  ["base64url alone", forUrls],
  ["whsec_ between blanks and line ends", ` \twhsec_${standard}\r\n`],
])("a key of Standard Webhooks is taken as %s", async (_, pasted) => {
  const { secret } = createSourceBody.parse({ name: "a", template: "standard-webhooks", secret: pasted });
  const { post } = await makeSender("standard-webhooks", { secret });
  const body = JSON.stringify({ type: "a", timestamp: "2026-01-01T00:00:00Z", data: {} });
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", KEY).update(`msg_1.${at}.${body}`).digest("base64");
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(at), "webhook-signature": `v1,${signature}` };
  expect((await post(body, headers)).status).toBe(200);
});

it("blanks and line ends around a secret are left out wherever one is given", () => {
  expect(rotateSecretBody.parse({ secret: "\n a-secret-of-one \r\n" })).toMatchObject({ secret: "a-secret-of-one" });
  expect(rotateSecretBody.safeParse({ secret: " seven77 " }).success).toBe(false);
});

it.each([
  ["github", "a-secret\u200bof-one", /U\+200B/],
  ["github", "a-secret\u00a0of-one", /U\+00A0/],
  ["stripe", "STRIPE_WEBHOOK_SECRET=whsec_of-one", /begins with STRIPE_WEBHOOK_SECRET=,/],
  ["github", "export GITHUB_SECRET=a-secret-of-one", /begins with export GITHUB_SECRET=,/],
  ["gitlab-token", "Bearer a-secret-of-one", /begins with Bearer,/],
] as const)("for %s, %j is refused with the reason", async (template, secret, reason) => {
  const { owner } = await makeSender("github");
  const adding = createSource(contextOf(owner, { audit: noAudit }), { name: "pasted", template, secret });
  await expect(adding).rejects.toMatchObject({ code: "invalid_request", message: expect.stringMatching(reason) });
});

it.each(["Bearer a-token-of-one", "ABCD_EFGH=="])("the token %j is one: it may be what the header holds", async (secret) => {
  const { post } = await makeSender("token", { secret, scheme: { token: { header: "x-token", prefix: "" } } });
  expect((await post("{}", { "x-token": secret })).status).toBe(202);
});

it.each([
  ["a zero-width space", "a-secret\u200bof-one", "a-secretof-one"],
  ["a setting's name", "WEBHOOK_SECRET=a-secret-of-one", "a-secret-of-one"],
  ["Bearer", "Bearer a-secret-of-one", "a-secret-of-one"],
  ["Cyrillic letters", "\u0430-s\u0435cret-\u043ef-one", "a-secret-of-one"],
  ["full-width letters", "\uff41-secret-of-one", "a-secret-of-one"],
])("a secret that was stored with %s is named by the diagnosis", async (_, stored, meant) => {
  const { workspaceId, source } = await makeWorkspace();
  await ensureSource(workspaceId, source, stored, { now: new Date() });
  const body = envelope();
  await receiver.send(source, { body, headers: { "x-webhook-signature": sign(body, meant) } });
  const diagnosis = (await newestQuarantined(workspaceId))?.diagnosis;
  expect(diagnosis).toMatchObject({ code: "secret_trimmed", verdict: expect.stringContaining("ours ") });
  expect(JSON.stringify(diagnosis)).not.toContain(meant);
});

it("values of an environment file with Windows line ends are taken without them", () => {
  const { WEBHOOK_SECRET, PORT, SANDBOX } = parseEnv({
    WEBHOOK_SECRET: "a-secret-of-one\r",
    PORT: "3100\r\n",
    SANDBOX: "on\r",
    SMTP_URL: "\r",
  });
  expect({ WEBHOOK_SECRET, PORT, SANDBOX }).toEqual({ WEBHOOK_SECRET: "a-secret-of-one", PORT: 3100, SANDBOX: "on" });
});
