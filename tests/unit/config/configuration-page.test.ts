import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(path.join(ROOT, name), "utf8");

test("docs/configuration.md has a line for every variable of the environment, and for no other", () => {
  const declared = [...read("lib/config/env.ts").matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name);
  const firstColumns = [...read("docs/configuration.md").matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, names = ""]) => names);
  const documented = firstColumns.flatMap((names) => [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name));
  const variables = documented.filter((name) => !["TRACE", "CONNECT"].includes(name ?? ""));
  expect(declared.length).toBeGreaterThan(25);
  expect(variables.toSorted()).toEqual([...new Set(declared)].toSorted());
});
