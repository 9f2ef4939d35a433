import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { watchDatabase } from "#lib/installation/database";

vi.mock("#lib/installation/embedded/postmaster", () => ({ isServerRunning: () => true }));

let directory: string;
let version: string;
beforeEach(() => {
  vi.useFakeTimers();
  directory = mkdtempSync(path.join(tmpdir(), "signalbox-watch-"));
  mkdirSync(path.join(directory, "data"));
  resetEnv({ DATA_DIR: path.join(directory, "data") });
  version = path.join(directory, "PG_VERSION");
  writeFileSync(version, "17");
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(directory, { recursive: true, force: true });
});

function watched() {
  const gone = vi.fn();
  const end = watchDatabase({ directory, url: "", port: 1, outcome: "started", opened: [], stop: () => Promise.resolve() }, gone);
  return { gone, end };
}

test("data that two looks don't find were deleted; that one look doesn't find them says nothing", () => {
  const { gone, end } = watched();
  rmSync(version);
  vi.advanceTimersByTime(2000);
  writeFileSync(version, "17");
  vi.advanceTimersByTime(20_000);
  expect(gone).not.toHaveBeenCalled();
  rmSync(version);
  vi.advanceTimersByTime(20_000);
  expect(gone).toHaveBeenCalledOnce();
  end();
});

test("data that can't be looked at were not deleted", () => {
  rmSync(version);
  symlinkSync("PG_VERSION", version); // any error but ENOENT
  const { gone, end } = watched();
  vi.advanceTimersByTime(20_000);
  expect(gone).not.toHaveBeenCalled();
  end();
});
