import { expect, test, vi } from "vitest";
import { oneAtATime } from "#lib/client/live-feed";

/** Runs that end when they are told to. */
function runs() {
  const ends: (() => void)[] = [];
  const run = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { run, end };
}

test("calls during a run are followed by one more run, once it has ended", async () => {
  const { run, end } = runs();
  const call = oneAtATime(run);
  for (let i = 0; i < 5; i++) call();
  expect(run).toHaveBeenCalledTimes(1);
  await end();
  expect(run).toHaveBeenCalledTimes(2);
  await end();
  expect(run).toHaveBeenCalledTimes(2);
});

test("a call after a run has ended runs at once", async () => {
  const { run, end } = runs();
  const call = oneAtATime(run);
  call();
  await end();
  call();
  expect(run).toHaveBeenCalledTimes(2);
});
