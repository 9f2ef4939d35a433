import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchStarter } from "#lib/processes/lifetime";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SCRIPT = "node lib/processes/start.ts";

/** Process 30 is ours, 20 the shell that npm runs its script in, 10 npm. */
function surroundings(script: string | null = SCRIPT) {
  const now = { parent: 20, npm: 10, unreadable: false };
  const gone = vi.fn();
  watchStarter(gone, {
    script,
    parent: () => now.parent,
    processFile: (pid, name) => {
      if (now.unreadable) throw new Error("EMFILE: too many open files");
      if (pid !== 20) throw new Error("no such process");
      return name === "cmdline" ? `sh\0-c\0${SCRIPT} --only worker\0` : `20 (sh) S ${now.npm} 20 20`;
    },
  });
  return { now, gone };
}

test.each([
  ["its shell", { parent: 1 }],
  ["npm itself, killed", { npm: 1 }],
])("what npm started notices once that %s has gone", (_, change) => {
  const { now, gone } = surroundings();
  vi.advanceTimersByTime(60_000);
  expect(gone).not.toHaveBeenCalled();
  Object.assign(now, change);
  vi.advanceTimersByTime(60_000);
  expect(gone).toHaveBeenCalledTimes(1);
});

test("the packed command, which npx runs in a shell, notices it too", () => {
  const { now, gone } = surroundings("'signalbox'");
  Object.assign(now, { parent: 1 });
  vi.advanceTimersByTime(60_000);
  expect(gone).toHaveBeenCalledTimes(1);
});

test("a system that can't be asked for a while, or answers wrongly once, ends nothing", () => {
  const { now, gone } = surroundings();
  now.unreadable = true;
  vi.advanceTimersByTime(60_000);
  now.unreadable = false;
  now.npm = 1;
  vi.advanceTimersByTime(300);
  now.npm = 10;
  vi.advanceTimersByTime(60_000);
  expect(gone).not.toHaveBeenCalled();
});

test.each([
  ["started without npm", null],
  ["started by a script of somebody else's, which may detach it", "nohup node lib/processes/start.ts &"],
])("what was %s is left alone when its parent goes", (_, script) => {
  const { now, gone } = surroundings(script);
  now.parent = 1;
  vi.advanceTimersByTime(60_000);
  expect(gone).not.toHaveBeenCalled();
});
