import { expect, it } from "vitest";
import { operationOfRedelivery } from "#lib/contracts/operation-states";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

const done: RedeliveryProgress = {
  id: "red_1",
  name: null,
  state: "done",
  total: 1,
  waiting: 0,
  applied: 0,
  failed: 1,
  left: 0,
  expired: 0,
  filter: null,
  destinations: false,
  event: null,
  requestedBy: "ada@example.com",
  createdAt: "2026-11-22T00:00:00.000Z",
};

it("a re-delivery that applied none of its events has failed; one that applied some is done", () => {
  expect(operationOfRedelivery(done)?.state).toBe("failed");
  expect(operationOfRedelivery({ ...done, total: 2, applied: 1 })?.state).toBe("finished");
  expect(operationOfRedelivery({ ...done, applied: 1, failed: 0 })?.state).toBe("finished");
  expect(operationOfRedelivery({ ...done, failed: 0, expired: 1 })?.state).toBe("finished");
});
