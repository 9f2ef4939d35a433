import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const TESTS = globSync("tests/**/*.test.ts");

it("every test that the documentation tells to run is there", () => {
  const named = [...globSync("docs/**/*.md"), "CONTRIBUTING.md", "README.md", "CHANGELOG.md"].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/tests\/(?:unit|integration|deep)\/[\w./-]+/g)].map(([path]) => path),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !TESTS.some((test) => test === path || test.startsWith(`${path}/`)))).toEqual([]);
});
