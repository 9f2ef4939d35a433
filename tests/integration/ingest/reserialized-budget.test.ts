import { expect, it } from "vitest";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { hurriedClock } from "#tests/support/sample";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

// Behind one proxy, so that each request may come from an address of its own.
useDatabase({ TRUSTED_PROXIES: "1" });
const receiver = useNodeReceiver();

const PLATFORM = "198.51.100.7";
const KEYS = Array.from({ length: 55_000 }, (_, n) => `"key${n}":${n}`).join();

const from = (address: string, { body, headers }: { body: string; headers: Record<string, string> }) => ({
  body,
  headers: { ...headers, "x-forwarded-for": address },
});

/** Signed over the JSON written again, and sent with white space. */
function reserialized(id: string, large: boolean) {
  const compact = large ? `{"id":"${id}","type":"document.uploaded","created":1,"data":{${KEYS}}}` : envelope({ id });
  return { body: compact.replace("{", "{ "), headers: { "x-webhook-signature": sign(compact) } };
}

/** Strangers' large bodies with a wrong signature, until the source has no time left for them. */
async function exhaust(source: string): Promise<void> {
  const wrong = signed(reserialized("evt_wrong", true).body, "wrong");
  for (let n = 0; n < 1000; n += 1) {
    const answer = await receiver.send(source, from(`192.0.2.${n % 200}`, wrong));
    if (answer.status === 429) return;
  }
  throw new Error("the strangers' time never ends");
}

it("strangers' large bodies with a wrong signature hold up no sender of events before, and nobody's small bodies", {
  tags: ["deep"],
  timeout: 120_000,
}, async () => {
  receiver.renew(createReceiver({ clock: hurriedClock }));
  const { source } = await makeWorkspace();
  expect((await receiver.send(source, from(PLATFORM, signed(envelope())))).status).toBe(200);
  await exhaust(source);
  expect((await receiver.send(source, from("203.0.113.1", reserialized("evt_stranger", true)))).status).toBe(429);
  expect((await receiver.send(source, from("203.0.113.1", reserialized("evt_small", false)))).status).toBe(200);
  expect((await receiver.send(source, from(PLATFORM, reserialized("evt_large", true)))).status).toBe(200);
  expect((await receiver.send(source, from("203.0.113.1", reserialized("evt_no_credit", true)))).status).toBe(429);
});
