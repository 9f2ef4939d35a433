import { expect, it } from "vitest";
import { workspaceId } from "#lib/contracts/api/ids";
import { planBatch } from "#lib/flows/processing/apply-batch";
import type { Claimed } from "#lib/processing/inbox-store";

const EVENTS = 3;

/** An event whose payload holds so many small values where no view looks. */
function claimed(n: number, values: number): Claimed {
  const data = { documentId: `doc_${n}`, pages: Array.from({ length: values }, (_, page) => [page]) };
  const body = Buffer.from(JSON.stringify({ id: `evt_${n}`, type: "document.processed", created: 1_760_000_000, data }));
  const place = { inboxId: null, workspaceId: workspaceId.parse("wsp_1"), sourceId: "src_1", receivedAt: new Date(), seq: n };
  return { ...place, redeliveryId: null, attempts: 0, eventId: `evt_${n}`, type: "document.processed", created: 1_760_000_000, body };
}

/** Returns how many values a value is made of; a body counts as one. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countValues(part), 1);
}

it("a batch that is planned keeps bodies and what is written, not the parsed payloads", () => {
  const plan = (values: number) =>
    planBatch(
      Array.from({ length: EVENTS }, (_, n) => claimed(n, values)),
      new Map(),
    );
  expect(plan(10_000).applied).toHaveLength(EVENTS);
  expect(countValues(plan(10_000))).toBe(countValues(plan(5000)));
});
