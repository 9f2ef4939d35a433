import { expect, it } from "vitest";
import { localDeliveriesBody, type ReportedDelivery } from "../../../lib/contracts/events/listeners.ts";
import { bodyLimitOf } from "../../../lib/http/request-body.ts";
import type { Api } from "../../../packages/cli/src/api-client.ts";
import { openReporter } from "../../../packages/cli/src/deliver.ts";
import { requestMaker } from "../../../packages/cli/src/requests.ts";
import { processOutput } from "../../../packages/cli/src/terminal.ts";

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
