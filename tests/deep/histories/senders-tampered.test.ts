import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { pool } from "#lib/db/pool";
import { createSource } from "#lib/flows/sources/manage-sources";
import { schemeOf } from "#lib/platform/schemes/templates";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { atSize } from "#tests/support/sample";
import { countOf } from "#tests/support/sender-source";
import { NOW, SENDERS, URL_SIGNED } from "#tests/support/senders";
import { tampered } from "#tests/support/tampered";
import { makeWorkspace } from "#tests/support/webhooks";

const { origin, pathname, search } = new URL(URL_SIGNED);
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
  await createSource(ownerOf(workspaceId), given, noAudit, new Date());
  const headers = {
    "content-type": "application/json",
    ...(template === "twilio" && { "content-type": "application/x-www-form-urlencoded" }),
  };
  const proof = sender.signedByThem;
  const send = async (changed: { headers: Record<string, string>; body: Buffer }) => {
    const answer = await receiver.send(`${NAME}${search}`, { headers: { ...headers, ...changed.headers }, body: changed.body });
    return answer.status;
  };
  const statuses = new Set<number>();
  for (let n = 0; n < 183; n += EACH) {
    if (n % (20 * EACH) === 0) receiver.renew(); // the limits of rejected requests are another test's
    statuses.add(await send(tampered(sender, proof, n)));
  }
  expect([...statuses]).toEqual([401]);
  expect(await countOf("events", workspaceId)).toBe(0);
  receiver.renew();
  expect([200, 202]).toContain(await send({ headers: proof, body: Buffer.from(sender.body) }));
});
