import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { every, keepRunning } from "#lib/background/loop";

test("a loop that fails is started again", async () => {
  const abort = new AbortController();
  let runs = 0;
  await keepRunning(
    "test",
    async () => {
      runs++;
      if (runs === 1) throw new Error("the first run fails");
      abort.abort();
    },
    abort.signal,
  );
  expect(runs).toBe(2);
});

test("an abort ends a loop in its pause at once", async () => {
  const abort = new AbortController();
  const ended = keepRunning("test", async () => Promise.reject(new Error("always")), abort.signal);
  await sleep(20);
  const since = performance.now();
  abort.abort();
  await ended;
  expect(performance.now() - since).toBeLessThan(200);
});

test("rounds follow each other and never overlap", async () => {
  const abort = new AbortController();
  let inside = 0;
  let most = 0;
  let rounds = 0;
  await every(1, async () => {
    most = Math.max(most, ++inside);
    await sleep(5);
    inside--;
    if (++rounds === 4) abort.abort();
  })(abort.signal);
  expect({ most, rounds }).toEqual({ most: 1, rounds: 4 });
});
