import { afterEach, beforeEach, expect, vi } from "vitest";

/**
 * A test fails when something prints an error or a warning that it did not ask
 * for. A test that expects one mocks the method itself:
 * `vi.spyOn(console, "error").mockImplementation(() => undefined)`.
 */
const METHODS = ["error", "warn"] as const;

let printed: unknown[][] = [];

beforeEach(() => {
  printed = [];
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation((...words) => void printed.push([method, ...words]));
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(printed, "nothing is printed to the console").toEqual([]);
});
