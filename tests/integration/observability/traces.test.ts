import { expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { endTracing, startTracing, traceIdentity } from "#lib/observability/active-tracing";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination } from "#tests/support/forwarding/destinations";
import { startSenders, untilArrived, useTargets } from "#tests/support/forwarding/senders";
import { startCollector } from "#tests/support/otlp-collector";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const receiver = useNodeReceiver();
const { open, target, withDestination } = useTargets();

const SENDER = "4bf92f3577b34da6a3ce929d0e0e4736";

async function traceTo(url: string): Promise<void> {
  resetEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  await startTracing();
  receiver.renew(createReceiver());
}

test("one trace leads from the webhook to the records and to each destination, and its id is computed", async () => {
  const collector = await startCollector();
  await traceTo(collector.url);
  const senders = startSenders();
  open.push(senders);
  const { workspaceId, source, sourceId } = await makeWorkspace();
  const { url, received } = await target();
  await makeDestination(workspaceId, { name: "Billing", url });
  const request = signed(envelope({ id: "evt_traced" }));
  const headers = { ...request.headers, traceparent: `00-${SENDER}-00f067aa0ba902b7-01` };
  expect((await receiver.send(source, { ...request, headers })).status).toBe(200);
  expect((await receiver.send(source, request)).status).toBe(200); // a repeat
  expect((await receiver.send(source, { body: "{}" })).status).toBe(401);
  await applyAll();
  await untilArrived(received, 1);
  await senders.stop(); // whoever received it does so before its span ends
  await endTracing();

  const { traceId, spanId } = traceIdentity(sourceId, "evt_traced");
  const ofEvent = collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: string) => ofEvent.filter((span) => span.name === name);
  const [first, repeat] = named(`POST /webhooks/${source}`);
  expect(first).toMatchObject({ spanId, parentSpanId: "", kind: 2, links: [SENDER] });
  expect(repeat).toMatchObject({ parentSpanId: spanId, links: [] });
  const [verified, appended, processed, sent] = ["verify", "append", "process", "send Billing"].map((name) => named(name)[0]);
  for (const span of [verified, appended, processed, sent]) expect(span?.parentSpanId).toBe(spanId);
  expect([verified, appended, processed, sent].map((span) => span?.kind)).toEqual([1, 3, 5, 3]);
  const times = [first?.startMs, appended?.startMs, appended?.endMs, processed?.endMs, sent?.endMs].map(Number);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // The destination continues the trace below the span that sent to it.
  expect(received[0]?.headers.traceparent).toBe(`00-${traceId}-${sent?.spanId}-01`);
  // A request that did not verify speaks for no event.
  const others = collector.spans.filter((span) => span.traceId !== traceId);
  expect(others.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([[`POST /webhooks/${source}`, ""]]);
});

test("without a collector nothing is traced, and destinations get no traceparent of ours", async () => {
  resetEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: "" });
  await startTracing();
  receiver.renew(createReceiver());
  open.push(startSenders());
  const { source, received } = await withDestination();
  expect((await receiver.send(source, signed(envelope()))).status).toBe(200);
  await applyAll();
  await untilArrived(received, 1);
  expect(received[0]?.headers).not.toHaveProperty("traceparent");
});

test("a collector that is away costs no webhook", { tags: ["deep"] }, async () => {
  await traceTo("http://127.0.0.1:9");
  const { source } = await makeWorkspace();
  expect((await receiver.send(source, signed(envelope()))).status).toBe(200);
  await endTracing();
});
