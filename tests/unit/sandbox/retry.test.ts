import { expect, test } from "vitest";
import { MAX_ATTEMPTS, retryDelay } from "#lib/sandbox/webhooks/outgoing";

test("the pause doubles from one second up to five minutes", () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelay(index + 1, null, 0));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
});

test("chance adds up to a quarter and never goes beyond five minutes", () => {
  expect(retryDelay(1, null, 1)).toBe(1250);
  expect(retryDelay(11, null, 1)).toBe(300_000);
});

test("the twelfth try is the last", () => {
  expect(retryDelay(MAX_ATTEMPTS, null, 0)).toBeNull();
});

test("Retry-After is honoured when it asks for more, within five minutes", () => {
  expect(retryDelay(1, 7000, 0)).toBe(7000);
  expect(retryDelay(5, 7000, 0)).toBe(16_000);
  expect(retryDelay(1, 86_400_000, 0)).toBe(300_000);
});
