import { afterEach, beforeEach } from "vitest";
import { giveBackVariables } from "./environment.ts";

// A variable that a test sets (`resetEnv`, `process.env`) is its own: after it the environment is what it was before, whether it
// passed or not. A file's own settings stay, made in `beforeAll` or by `useDatabase`.

let before: Record<string, string | undefined> = {};

beforeEach(() => {
  before = { ...process.env };
});

// A setup file's hook is the last to run.
afterEach(async () => {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  if (![...names].some((name) => process.env[name] !== before[name])) return;
  giveBackVariables(before);
  const { resetEnv } = await import("#lib/config/env");
  resetEnv();
});
