import { expect, test } from "vitest";
import { type SandboxEventBody, sandboxFault } from "#lib/contracts/sandbox";
import { describeType } from "#lib/platform/event-catalogue";
import { NO_MAPPING } from "#lib/platform/field-names";
import { readEnvelope } from "#lib/platform/read-event";
import { seededRandom } from "#lib/sandbox/payloads";
import { buildScenario } from "#lib/sandbox/scenarios";
import { MAX_ATTEMPTS, outgoingOf, outgoingOfScenario, retryDelay } from "#lib/sandbox/webhooks/outgoing";

const NOW = new Date("2026-11-21T09:30:00.400Z");
const send = (body: Partial<SandboxEventBody> = {}) => outgoingOf({ type: "document.processed", ...body }, seededRandom(1), NOW);
const envelopeOf = (body: string) => {
  const reading = readEnvelope(Buffer.from(body), NO_MAPPING);
  if (reading.outcome !== "envelope") throw new Error(reading.detail);
  return reading.envelope;
};

test("an event without data is sent with a sample, an id and the time of its own", () => {
  const [webhook] = send();
  expect(webhook).toMatchObject({ type: "document.processed", fault: null, afterMs: 0 });
  expect(envelopeOf(webhook?.body ?? "")).toMatchObject({
    id: webhook?.eventId,
    created: 1795253400,
    data: { documentId: expect.stringMatching(/^doc_/) },
  });
});

test("what the request gives is sent as given", () => {
  const [webhook] = send({ id: "evt_mine", created: 12, data: { documentId: "doc_mine" } });
  expect(envelopeOf(webhook?.body ?? "")).toEqual({
    id: "evt_mine",
    type: "document.processed",
    created: 12,
    data: { documentId: "doc_mine" },
  });
});

test("each fault is what its name says", () => {
  const duplicates = send({ fault: "duplicate" });
  expect([duplicates.length, new Set(duplicates.map(({ body }) => body)).size]).toEqual([3, 1]);
  expect(new Set(send({ fault: "burst" }).map(({ eventId }) => eventId)).size).toBe(100);
  const bodyOf = (fault: SandboxEventBody["fault"]) => send({ fault })[0]?.body ?? "";
  expect(readEnvelope(Buffer.from(bodyOf("malformed")), NO_MAPPING).outcome).toBe("invalid_envelope");
  expect(describeType(envelopeOf(bodyOf("unknown_type")).type)).toBeNull();
  const { data } = envelopeOf(bodyOf("missing_ids"));
  expect(data).not.toHaveProperty("documentId");
  expect(data).toHaveProperty("metadata");
  const [first, second] = send({ fault: "disorder" });
  expect(envelopeOf(second?.body ?? "").created).toBeLessThan(envelopeOf(first?.body ?? "").created);
  expect(second?.afterMs).toBeGreaterThan(first?.afterMs ?? 0);
});

test.each(sandboxFault.options)("the fault %s marks each webhook that it makes", (fault) => {
  expect(send({ fault }).every((webhook) => webhook.fault === fault)).toBe(true);
});

test("a shuffled scenario sends the same events, none in its own place", () => {
  const events = buildScenario("document_to_done", { seed: 4, startAt: NOW.getTime(), pace: 100 });
  const told = outgoingOfScenario("document_to_done", events, false, seededRandom(4)).map(({ eventId }) => eventId);
  const shuffled = outgoingOfScenario("document_to_done", events, true, seededRandom(4)).map(({ eventId }) => eventId);
  expect([...shuffled].sort()).toEqual([...told].sort());
  expect(shuffled.some((id, index) => id === told[index])).toBe(false);
});

test("the pause doubles from one second up to five minutes, with up to a quarter by chance; the twelfth try is the last", () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelay(index + 1, null, 0));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  expect(retryDelay(MAX_ATTEMPTS, null, 0)).toBeNull();
  expect([retryDelay(1, null, 1), retryDelay(11, null, 1)]).toEqual([1250, 300_000]);
});

test("Retry-After is honoured when it asks for more, within five minutes", () => {
  expect(retryDelay(1, 7000, 0)).toBe(7000);
  expect(retryDelay(5, 7000, 0)).toBe(16_000);
  expect(retryDelay(1, 86_400_000, 0)).toBe(300_000);
});
