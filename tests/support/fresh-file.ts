import { readFileSync } from "node:fs";
import { afterAll, expect, inject, vi } from "vitest";
import { giveBackVariables } from "./environment.ts";
import { forgetFile } from "./of-this-file.ts";

// Test files share a process and the product's modules: to load both anew costs each file a second. What a file leaves behind ends with
// it here, so that the next one finds what it would find in a process of its own: what the modules have one of in a process is dropped,
// pools are closed, and the environment is what it was. A file that replaces modules has them loaded anew, before and after it.

const temporary = inject("temporary");
if (temporary) process.env.TMPDIR = temporary; // unit tests run without one

const place = globalThis as typeof globalThis & { signalbox?: Map<string, unknown>; environmentAtStart?: NodeJS.ProcessEnv };
place.environmentAtStart ??= { ...process.env };
const { environmentAtStart } = place;

/** Prisma's client has no connections and knows no database: to make it anew takes a file a fifth of a second. */
const KEPT = "prisma";

const replacesModules = /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(expect.getState().testPath ?? "", "utf8"));
if (replacesModules) vi.resetModules();

// A setup file's hook is the last to run.
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  if (place.signalbox?.has("pools")) {
    const { closePools } = await import("#lib/db/pool");
    await closePools();
  }
  for (const name of place.signalbox?.keys() ?? []) if (name !== KEPT) place.signalbox?.delete(name);
  forgetFile();
  giveBackVariables(environmentAtStart);
  const { resetEnv } = await import("#lib/config/env");
  resetEnv();
  if (replacesModules) vi.resetModules();
});
