import { expect, test } from "vitest";
import { forgetRounds, hangingLoops, noteRound } from "#lib/background/loop";

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
