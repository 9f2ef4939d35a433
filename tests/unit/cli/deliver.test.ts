import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { localDeliveriesBody, type ReportedDelivery } from "../../../lib/contracts/events/listeners.ts";
import { bodyLimitOf } from "../../../lib/http/request-body.ts";
import type { Api } from "../../../packages/cli/src/api-client.ts";
import { openReporter, openSender } from "../../../packages/cli/src/deliver.ts";
import { requestMaker } from "../../../packages/cli/src/requests.ts";
import { processOutput } from "../../../packages/cli/src/terminal.ts";
import { type RawTarget, startRawTarget } from "../../support/forwarding/raw-target.ts";

const output = processOutput("quiet", true);

it.each([
  ["long answers in any script", "\u4e2d".repeat(4096), 200],
  ["answers whose every character is escaped in JSON", "\u0001".repeat(4096), 200],
  ["short answers, up to the route's number", "ok", 250],
])("reports %s in requests that the route takes", async (_, body, count) => {
  const posted: string[] = [];
  const post = async (_path: string, sent: unknown) => void posted.push(JSON.stringify(sent));
  const reporter = openReporter({ post } as unknown as Api, output);
  for (let at = 0; at < count; at++) reporter.report(delivery(`evt_${at}`, body));
  await reporter.close();
  const batches = posted.map((text) => localDeliveriesBody.parse(JSON.parse(text)).deliveries);
  expect(batches.flat().map(({ eventId }) => eventId)).toEqual(Array.from({ length: count }, (_, at) => `evt_${at}`));
  expect(Math.max(...posted.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(bodyLimitOf("/api/v1/local-deliveries"));
  expect(batches.length).toBeLessThan(count);
});

function delivery(eventId: string, body: string): ReportedDelivery {
  const at = "2026-11-23T12:00:00.000Z";
  return {
    eventId,
    command: "listen",
    listener: "laptop",
    url: "http://localhost:4000/",
    at,
    status: 200,
    error: null,
    durationMs: 1,
    body,
  };
}

it("asks the app for an answer that is not compressed, whatever the sender took", () => {
  const webhook = {
    id: "evt_1",
    source: "main",
    receivedAt: "2026-11-23T12:00:00Z",
    headers: { "Accept-Encoding": "gzip, br", "X-Other": "1" },
    raw: "{}",
    rawBase64: null,
    redeliveryId: null,
  };
  expect(requestMaker({ mode: "pass_through" }, new Map(), output)(webhook, new URL("http://localhost:4000/")).headers).toEqual({
    "accept-encoding": "identity",
    "content-type": "application/json",
    "x-other": "1",
    "x-signalbox-event-id": "evt_1",
  });
});

const REQUEST = { body: Buffer.from("{}"), headers: {} };

function senderOf(url: string, timeoutMs = 5000) {
  const sender = openSender(new URL(url), { concurrency: 1, timeoutMs });
  onTestFinished(() => sender.close());
  return sender;
}

async function raw(...how: Parameters<typeof startRawTarget>): Promise<RawTarget> {
  const target = await startRawTarget(...how);
  onTestFinished(() => target.close());
  return target;
}

/** An app that does this with its first, second, … request. @returns its URL, and how many came */
async function app(...turns: ((response: ServerResponse, request: IncomingMessage) => void)[]) {
  let came = 0;
  const server = createServer((request, response) => turns[came++]?.(response, request));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, came: () => came };
}

const answer = (response: ServerResponse) => void response.end("ok");
const reset = (_: ServerResponse, request: IncomingMessage) => void request.socket.destroy();
const hang = () => {};

it("says refused when no connection came to stand: the app can't have seen it", async () => {
  const unknownAuthority = await raw(() => {}, "valid");
  expect(await senderOf(unknownAuthority.url).send(REQUEST)).toMatchObject({
    outcome: "refused",
    error: expect.stringMatching(/^its certificate can't be verified/),
  });
  const noTls = await raw(() => {});
  expect(await senderOf(noTls.url.replace("http:", "https:"), 1000).send(REQUEST)).toMatchObject({
    outcome: "refused",
    error: "no response within 1 s",
  });
});

it("says broken when the connection stood, also when it waited for one that others used", async () => {
  const { url, came } = await app(answer, reset, reset, hang);
  const sender = senderOf(url, 1000);
  const [first, second] = await Promise.all([sender.send(REQUEST), sender.send(REQUEST)]);
  expect([first, second]).toMatchObject([{ outcome: "answered" }, { outcome: "broken", error: "the connection was closed" }]);
  while (came() < 3) await sender.send(REQUEST);
  expect(await sender.send(REQUEST)).toMatchObject({ outcome: "broken", error: "no response within 1 s" });
});

it("repeats on a new connection what the app closed a kept one on", async () => {
  const { url, came } = await app(answer, reset, answer);
  const sender = senderOf(url);
  await sender.send(REQUEST);
  expect(await sender.send(REQUEST)).toMatchObject({ outcome: "answered" });
  expect(came()).toBe(3);
});

it("repeats neither after its own time-out nor after its own end", async () => {
  const slow = await app(answer, hang, answer);
  const impatient = senderOf(slow.url, 1000);
  await impatient.send(REQUEST);
  expect(await impatient.send(REQUEST)).toMatchObject({ outcome: "broken", error: "no response within 1 s" });
  const hanging = await app(answer, hang, answer);
  const ended = senderOf(hanging.url);
  await ended.send(REQUEST);
  const sending = ended.send(REQUEST);
  await expect.poll(hanging.came).toBe(2);
  ended.close();
  expect(await sending).toMatchObject({ outcome: "broken" });
  expect([slow.came(), hanging.came()]).toEqual([2, 2]);
});
