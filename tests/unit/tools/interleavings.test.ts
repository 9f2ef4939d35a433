import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Rows of the tables whose first cell names files of the product, and whose last one names tests. */
const ROWS = readFileSync("docs/interleavings.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.slice(1, -1).split(" | "));

const quoted = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

it("every store and every test that the list of interleavings names is there", () => {
  const product = globSync("lib/**/*.ts");
  const tests = globSync("tests/{integration,deep,field}/**/*.test.ts");
  expect(ROWS.length).toBeGreaterThan(60);
  const files = ROWS.flatMap(([first]) => quoted(first)).filter((name) =>
    /^[a-z][a-z/-]*-(store|sql|spool|busy|records|available)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(60);
  expect(files.filter((name) => !product.some((file) => file.endsWith(`/${name}.ts`)))).toEqual([]);
  const named = ROWS.flatMap((cells) => quoted(cells[3]));
  expect(named.length).toBeGreaterThan(60);
  expect(
    named.filter((name) => !["integration/", "deep/", ""].some((part) => tests.some((file) => file.startsWith(`tests/${part}${name}`)))),
  ).toEqual([]);
});
