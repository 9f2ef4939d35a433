import { afterEach, beforeEach } from "vitest";

// A variable that a test sets (`resetEnv`, `process.env`) is its own: after it the environment is what it was before, whether it
// passed or not. A file's own settings stay, made in `beforeAll` or by `useDatabase`.

let before: Record<string, string | undefined> = {};

beforeEach(() => {
  before = { ...process.env };
});

// A setup file's hook is the last to run.
afterEach(async () => {
  const added = Object.keys(process.env).filter((name) => !(name in before));
  const changed = Object.keys(before).some((name) => process.env[name] !== before[name]);
  if (added.length === 0 && !changed) return;
  for (const name of added) delete process.env[name];
  Object.assign(process.env, before);
  const { resetEnv } = await import("#lib/config/env");
  resetEnv();
});
