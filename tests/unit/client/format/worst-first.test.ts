import { expect, test } from "vitest";
import { worstFirst } from "#lib/contracts/connection-filters";

test("a connection that somebody has to look at stands before those that work, and those before what is not connected", () => {
  const states = ["disconnected", "connected", "pending", "needs_reauthorization", "retrying", "connected"] as const;
  const listed = states.map((state, place) => ({ state, place }));
  expect(worstFirst(listed).map(({ state, place }) => `${place} ${state}`)).toEqual([
    "3 needs_reauthorization",
    "4 retrying",
    "1 connected",
    "5 connected",
    "2 pending",
    "0 disconnected",
  ]);
});
