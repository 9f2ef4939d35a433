import { afterEach, expect, test, vi } from "vitest";
import { CountedLog } from "#lib/observability/logger";

afterEach(() => void vi.useRealTimers());

test("a cause is told at once, then once a minute with its count, and not at all when it has ended", () => {
  vi.useFakeTimers();
  const lines: object[] = [];
  const log = new CountedLog((fields) => void lines.push(fields));
  for (let n = 0; n < 1000; n += 1) log.note({ outcome: "unavailable", cause: "disk full" });
  log.note({ outcome: "overloaded" });
  expect(lines).toEqual([
    { outcome: "unavailable", cause: "disk full", count: 1 },
    { outcome: "overloaded", count: 1 },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual([{ outcome: "unavailable", cause: "disk full", count: 999 }]);
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(3);
  log.note({ outcome: "overloaded" });
  expect(lines.slice(3)).toEqual([{ outcome: "overloaded", count: 1 }]);
});
