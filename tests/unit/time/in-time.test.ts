import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { inTime } from "#lib/time/waits";
import { holdEventLoop } from "#tests/support/hold-event-loop";

it("gives up after its time", async () => {
  expect(await inTime(new Promise(() => undefined), 20, () => "late")).toBe("late");
});

it("takes a result that arrived in time, though this process was too busy to read it", async () => {
  await setImmediate(); // timers come next
  const found = inTime(stat(import.meta.filename), 20, () => "late");
  holdEventLoop(500);
  expect(await found).not.toBe("late");
});

it("throws what the work throws in time, and hears of nothing that it throws later", async () => {
  await expect(inTime(Promise.reject(new Error("broken")), 20, () => "late")).rejects.toThrow("broken");
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await inTime(promise, 20, () => "late")).toBe("late");
  reject(new Error("too late"));
});
