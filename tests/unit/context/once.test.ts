import { afterEach, expect, test } from "vitest";
import { forget, once, shareFor } from "#lib/context/once";

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

test("an answer is shared for its time, by both copies of a module, and not with who begins anew", async () => {
  let asked = 0;
  const ask = async () => ++asked;
  const [one, copy] = [shareFor("api-quota", 50, ask), shareFor("api-quota", 50, ask)];
  expect([await one(), await one(), await copy()]).toEqual([1, 1, 1]);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect([await copy(), await one()]).toEqual([2, 2]);
  forget("api-quota");
  expect(await one()).toBe(3);
});
