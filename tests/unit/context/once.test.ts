import { afterEach, expect, test } from "vitest";
import { forget, once } from "#lib/context/once";

afterEach(() => {
  forget("api-quota");
});

test("what a process has one of is created on first use and found by everyone", () => {
  const created = once("api-quota", () => ({ points: 1 }));
  expect(once("api-quota", () => ({ points: 2 }))).toBe(created);
});

test("what was forgotten is handed to whoever closes it, and created again", () => {
  const created = once("api-quota", () => ({ points: 1 }));
  expect(forget("api-quota")).toBe(created);
  expect(forget("api-quota")).toBeUndefined();
  expect(once("api-quota", () => ({ points: 2 }))).toEqual({ points: 2 });
});
