import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { pool } from "#lib/db/pool";
import { createSource } from "#lib/flows/sources/manage-sources";
import { schemeOf } from "#lib/platform/schemes/templates";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { atSize } from "#tests/support/sample";
import { countOf } from "#tests/support/sender-source";
import { NOW, SENDERS, URL_SIGNED } from "#tests/support/senders";
import { FORM_NOW, FORMS } from "#tests/support/signature-forms";
import { tampered } from "#tests/support/tampered";
import { makeWorkspace } from "#tests/support/webhooks";

const { origin, pathname } = new URL(URL_SIGNED);
const NAME = pathname.slice("/webhooks/".length);

useDatabase({ WEBHOOK_URL: origin });
const receiver = useNodeReceiver();

// Every sender signs at one time; that of the receiver is the same.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterAll(() => void vi.useRealTimers());

// The platform's own bodies are changed at every place in signatures.test.ts, Amazon's messages in sender-sns.test.ts.
const SIGNED = SOURCE_TEMPLATES.filter(
  (template) => template !== "platform" && template !== "sns" && schemeOf(template, SENDERS[template].settings ?? {}).trust === "signed",
);

/** Of 183 changes to a request, each or each fifth. */
const EACH = atSize(1, 5);

it.each(SIGNED)("of %s what its own library signed is stored, and no changed request is, nor answered 5xx", async (template) => {
  const sender = SENDERS[template];
  const { workspaceId } = await makeWorkspace();
  await pool().query("UPDATE sources SET name = id WHERE name = $1", [NAME]);
  const { settings, secret } = sender;
  const given = { name: NAME, template, secret, ...(settings && { scheme: settings }) };
  await createSource(contextOf(ownerOf(workspaceId), { audit: noAudit }), given);
  const headers = {
    "content-type": "application/json",
    ...(template === "twilio" && { "content-type": "application/x-www-form-urlencoded" }),
  };
  const proof = sender.signedByThem;
  const { search } = new URL(sender.url ?? URL_SIGNED);
  const send = async (changed: { headers: Record<string, string>; body: Buffer }) => {
    const answer = await receiver.send(`${NAME}${search}`, {
      headers: { ...headers, ...changed.headers },
      body: changed.body,
    });
    return answer.status;
  };
  const statuses = new Set<number>();
  for (let n = 0; n < 183; n += EACH) {
    if (n % (20 * EACH) === 0) receiver.renew(); // the limits of rejected requests are another test's
    statuses.add(await send(tampered({ body: Buffer.from(sender.body), headers: proof, url: "" }, n)));
  }
  expect([...statuses]).toEqual([401]);
  expect(await countOf("events", workspaceId)).toBe(0);
  receiver.renew();
  expect([200, 202]).toContain(await send({ headers: proof, body: Buffer.from(sender.body) }));
});

// What is signed is listed there: of a partly signed body, some fields.
it.each(Object.entries(FORMS))("of the form of %s no altered request is stored, nor answered 5xx", async (_, form) => {
  expect(FORM_NOW).toBe(NOW);
  const { workspaceId } = await makeWorkspace();
  await pool().query("UPDATE sources SET name = id WHERE name = $1", [NAME]);
  const scheme = { hmac: hmacSettings.parse(form.settings) };
  const reading = { id: ["receipt:id"], type: ["text:altered"], field: "json" };
  await createSource(contextOf(ownerOf(workspaceId), { audit: noAudit }), {
    name: NAME,
    template: "hmac",
    secret: form.secret,
    scheme,
    reading,
  });
  const send = async ({ url, headers, body }: typeof form.request) => {
    const answer = await receiver.send(`${NAME}${new URL(url).search}`, { headers, body });
    return answer.status;
  };
  const statuses = new Set<number>();
  for (let n = 0; n < 183; n += EACH) {
    if (n % (20 * EACH) === 0) receiver.renew();
    statuses.add(await send(tampered(form.request, n, form)));
  }
  expect([...statuses]).toEqual([401]);
  expect(await countOf("events", workspaceId)).toBe(0);
  receiver.renew();
  expect(await send(form.request)).toBe(200);
});
