import { expect, test } from "vitest";
import { STOP_LIMITS } from "#lib/installation/stop-limits";

test("a stop leaves time to keep the token that a request in flight brings after 9 s, and is over within the contract's 10 s", () => {
  const { work, database, token, process, kill, everything } = STOP_LIMITS;
  expect(token).toBeGreaterThan(9000);
  const inOrder = [work, database, token, process, kill, everything, 10_000];
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  expect(everything - database).toBeGreaterThanOrEqual(1500); // the built-in database
});
