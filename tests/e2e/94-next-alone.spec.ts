import { randomInt, randomUUID } from "node:crypto";
import { startBeside } from "./support/beside.ts";
import { queryInstallation } from "./support/installation-database.ts";
import { postWebhook, signBody } from "./support/post-webhook.ts";
import { expect, test } from "./support/watched-page.ts";

const port = randomInt(32_000, 32_700);

test("the build under `next start` stores what is signed, byte for byte and once, and rejects what is not", async () => {
  await startBeside("tests/e2e/support/next-alone.ts", { PORT: String(port) });
  const id = `evt_${randomUUID()}`;
  const body = `{ "id":"${id}", "type":"document.uploaded","created":1760000000,"data":{"documentId":"doc_next","note":"\u00fc\\u00fc"} }`;
  const send = (signature: string) => postWebhook(`http://127.0.0.1:${port}/webhooks/platform`, body, { "x-webhook-signature": signature });
  expect(await send(signBody(body, "another secret"))).toBe(401);
  expect(await send(signBody(body))).toBe(200);
  expect(await send(signBody(body))).toBe(200);
  const stored = await queryInstallation<{ body: Buffer }>("SELECT body FROM events WHERE event_id = $1", [id]);
  expect(stored.map((row) => row.body.toString())).toEqual([body]);
});
