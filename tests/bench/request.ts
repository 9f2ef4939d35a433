import process from "node:process";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import { newId, sourceId, workspaceId } from "#lib/contracts/api/ids";
import { receiveWebhook } from "#lib/flows/ingest/receive-webhook";
import { createReceiver, type Receiver } from "#lib/flows/ingest/receiver";
import type { WebhookRequest } from "#lib/flows/ingest/webhook-answers";
import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { PLATFORM_READING } from "#lib/platform/read-event";
import { schemeOf } from "#lib/platform/schemes/templates";
import { TEST_ENV } from "#tests/support/environment";
import { envelope, SECRET, signed } from "#tests/support/webhooks";
import { percentile, say } from "./harness.ts";

// `npm run bench -- request`: processor time of the receiver's own code for a webhook of the platform's of 1 KB, from the
// body to the entry for the log: without HTTP, and with a log that stores nothing.

const { values } = parseArgs({ options: { rounds: { type: "string", default: "12" }, requests: { type: "string", default: "10000" } } });
const [rounds, requests] = [Number(values.rounds), Number(values.requests)];
const TOGETHER = 16;

const source: ReceivingSource = {
  id: sourceId.parse(newId("src")),
  workspaceId: workspaceId.parse(newId("wsp")),
  name: "acme",
  paused: false,
  keepLate: true,
  sealed: 0,
  secrets: [{ id: "sec_1", value: SECRET, validUntil: null }],
  template: "platform",
  scheme: schemeOf("platform", {}),
  challenges: [],
  answer: undefined,
  learnsSecretUntil: undefined,
  reading: PLATFORM_READING,
};
// Nothing connects to it.
resetEnv({ ...TEST_ENV, DATABASE_URL: "postgres://localhost/none" });
const made = createReceiver({ onSourceChange: () => undefined });
const receiver: Receiver = Object.assign(made, {
  sources: Object.assign(made.sources, { isListed: () => true, find: async () => ({ outcome: "found", source }) }),
  log: Object.assign(made.log, { append: async () => ({ outcome: "stored", groupSize: TOGETHER }) }),
});

function requestOf(n: number): WebhookRequest {
  const data = { documentId: `doc_${n}`, organizationId: "org_1", status: "completed", metadata: { note: "x".repeat(750) }, pages: 3 };
  const { body, headers } = signed(envelope({ data }));
  return {
    source: source.name,
    method: "POST",
    body: Buffer.from(body),
    headers: {
      host: "hooks.example.com",
      "user-agent": "platform/1.0",
      accept: "*/*",
      "content-length": String(Buffer.byteLength(body)),
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-request-id": `req_${n}`,
      ...headers,
    },
    remoteAddress: "203.0.113.9",
  };
}

/** @returns microseconds of processor time a request */
async function measure(all: WebhookRequest[], count: number): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < count; n += TOGETHER)
    await Promise.all(Array.from({ length: TOGETHER }, (_, k) => receiveWebhook(receiver, all[(n + k) % all.length] as WebhookRequest)));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const all = Array.from({ length: 512 }, (_, n) => requestOf(n));
const [first] = all;
const answer = first && (await receiveWebhook(receiver, first));
if (answer?.status !== 200) throw new Error(`answered ${answer?.status}`);
await measure(all, 3 * requests);
const figures: number[] = [];
for (let round = 0; round < rounds; round += 1) figures.push(await measure(all, requests));
say(
  `one webhook, ${rounds} rounds: least ${Math.min(...figures).toFixed(1)} µs, median ${percentile(figures, 0.5).toFixed(1)} µs of processor`,
);
process.exit(0);
