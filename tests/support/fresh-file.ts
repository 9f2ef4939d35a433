import { afterAll, inject, vi } from "vitest";
import { giveBackVariables } from "./environment.ts";

// Test files share a process: a process of its own costs each file a second to start and to load the libraries. What a
// file leaves behind ends with it here, so that the next one finds what it would find in a process of its own: our modules
// are loaded anew, what they have one of in a process is theirs, and the environment is what it was.

const temporary = inject("temporary");
if (temporary) process.env.TMPDIR = temporary; // unit tests run without one

const place = globalThis as typeof globalThis & { signalbox?: Map<string, unknown> | undefined; environmentAtStart?: NodeJS.ProcessEnv };
place.environmentAtStart ??= { ...process.env };
const { environmentAtStart } = place;

// A setup file's hook is the last to run.
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  if (place.signalbox?.has("pools")) {
    const { closePools } = await import("#lib/db/pool");
    await closePools();
  }
  // Prisma's client has no connections: it goes on, since to load it takes a file a fifth of a second.
  const prisma = place.signalbox?.get("prisma");
  place.signalbox = prisma === undefined ? undefined : new Map([["prisma", prisma]]);
  giveBackVariables(environmentAtStart);
  vi.resetModules();
});
