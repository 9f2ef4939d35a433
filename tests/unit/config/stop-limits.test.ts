import { expect, test } from "vitest";
import { STOP_LIMITS } from "#lib/installation/stop-limits";

test("a stop leaves time to store the token that a request in flight brings, and is over within the contract's 10 s", () => {
  const { tokenRequest, tokenWrite, work, process, kill, everything } = STOP_LIMITS;
  expect(work).toBeGreaterThanOrEqual(tokenRequest + tokenWrite);
  expect([work, process, kill, everything, 10_000]).toEqual([work, process, kill, everything, 10_000].toSorted((a, b) => a - b));
  expect(process - work).toBeGreaterThanOrEqual(500); // goodbyes to the database
  expect(everything - kill).toBeGreaterThanOrEqual(1500); // the built-in database
});
