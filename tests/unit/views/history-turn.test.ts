import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forget } from "#lib/context/once";
import { inTurn } from "#lib/flows/views/read-as-of";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  forget("history-turns");
});

/** Work that ends when it is told to. */
function endless() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = vi.fn(() => promise);
  return { work, end: resolve };
}

test("two read at once, the third when one is done, in the order in which they came", async () => {
  const each = [endless(), endless(), endless(), endless()];
  const results = each.map(({ work }) => inTurn(work));
  await vi.advanceTimersByTimeAsync(0);
  expect(each.map(({ work }) => work.mock.calls.length)).toEqual([1, 1, 0, 0]);
  each[1]?.end("second");
  await expect(results[1]).resolves.toBe("second");
  expect(each.map(({ work }) => work.mock.calls.length)).toEqual([1, 1, 1, 0]);
  for (const { end } of each) end("done");
  await expect(Promise.all(results)).resolves.toEqual(["done", "second", "done", "done"]);
});

test("one that waits longer than 15 s is told to come back, and never starts; one that works may take longer", async () => {
  const busy = [endless(), endless()];
  const working = busy.map(({ work }) => inTurn(work));
  const late = endless();
  const waited = expect(inTurn(late.work)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
  await vi.advanceTimersByTimeAsync(15_000);
  await waited;
  await vi.advanceTimersByTimeAsync(60_000);
  for (const { end } of busy) end("slow");
  await expect(Promise.all(working)).resolves.toEqual(["slow", "slow"]);
  expect(late.work).not.toHaveBeenCalled();
  await expect(inTurn(async () => "next")).resolves.toBe("next");
});

test("at most 100 wait, a failure is the caller's own, and its turn goes to the next", async () => {
  const busy = [endless(), endless()];
  const working = busy.map(({ work }) => inTurn(work));
  const waiting = Array.from({ length: 100 }, (_, n) => inTurn(n === 0 ? () => Promise.reject(new Error("broken")) : async () => n));
  const settled = Promise.allSettled(waiting);
  await expect(inTurn(async () => "one too many")).rejects.toMatchObject({ code: "unavailable" });
  for (const { end } of busy) end("done");
  await Promise.all(working);
  const outcomes = await settled;
  expect(outcomes[0]).toMatchObject({ status: "rejected", reason: new Error("broken") });
  expect(outcomes.slice(1).every(({ status }) => status === "fulfilled")).toBe(true);
});
