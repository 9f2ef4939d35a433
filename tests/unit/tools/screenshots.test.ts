import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

test("the README's pictures exist and show this version: npm run bench -- screenshots makes them", () => {
  const pictures = [...read("README.md").matchAll(/\]\((docs\/screenshots\/[^)]+)\)/g)].map(([, file = ""]) => file);
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(JSON.parse(read("docs/screenshots/version.json"))).toEqual({ version });
});
