import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { every, forgetRounds, hangingLoops, keepRunning, noteRound, polling } from "#lib/background/loop";
import { expectPace } from "#tests/support/pace";

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
  expectPace(performance.now() - since, 200);
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

test.each([
  ["at an interval", (work: () => Promise<boolean>) => every(1, work)],
  ["while there is work", (work: () => Promise<boolean>) => polling(1, work)],
])("a round %s that does not end is known as hanging, until the loop ends", async (_, loop) => {
  const [abort, work] = [new AbortController(), Promise.withResolvers<boolean>()];
  const later = () => performance.now() + 601_000;
  const ended = keepRunning(
    "stuck",
    loop(() => work.promise),
    abort.signal,
  );
  await sleep(5);
  expect(hangingLoops(later())).toEqual(["stuck"]);
  work.reject(new Error("it fails after all"));
  await expect.poll(() => hangingLoops(later())).toEqual([]); // it rests before it is started again
  abort.abort();
  await ended;
  forgetRounds("stuck");
});

test("a loop hangs when its round lasts longer than ten minutes, until the next round begins or it ends", () => {
  noteRound("quick", 0);
  noteRound("slow", 0);
  noteRound("quick", 100_000);
  expect(hangingLoops(599_000)).toEqual([]);
  expect(hangingLoops(601_000)).toEqual(["slow"]);
  noteRound("slow", 601_000);
  expect(hangingLoops(602_000)).toEqual([]);
  expect(hangingLoops(1_300_000)).toEqual(["quick", "slow"]);
  forgetRounds("quick");
  forgetRounds("slow");
  expect(hangingLoops(9_000_000)).toEqual([]);
});
