import { expect, test } from "vitest";
import { connectionLimit, descriptorLimit, serverTimeouts } from "#lib/processes/server/server-limits";

test.each([
  [128, 32],
  [256, 160],
  [1024, 922],
  [20_000, 10_000],
  [Number.MAX_SAFE_INTEGER, 10_000],
])("a process that may open %j files takes %j connections", (descriptors, connections) => {
  expect(connectionLimit(descriptors)).toBe(connections);
});

test("how many files this process may open is known", () => {
  expect(descriptorLimit()).toBeGreaterThan(63);
});

test("a connection without a request is kept for longer behind a proxy, which reuses it", () => {
  expect(serverTimeouts(0).keepAliveTimeout).toBe(5000);
  expect(serverTimeouts(1).keepAliveTimeout).toBe(65_000);
});
