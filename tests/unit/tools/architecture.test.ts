import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/run-command.ts";

const page = readFileSync(path.join(ROOT, "docs/ARCHITECTURE.md"), "utf8");
const [, walk = ""] = /## A webhook's walk\n([\s\S]*?)\n## /.exec(page) ?? [];
const stops = [...walk.matchAll(/^(\d+)\. (?:`([^`]+)`, `(\w+)`)?/gm)].map(([, , file = "", name = ""]) => ({ file, name }));

it("a webhook's walk has fifteen stops at most", () => {
  expect(stops.length).toBeGreaterThan(10);
  expect(stops.length).toBeLessThanOrEqual(15);
});

it.each(stops)("the walk's stop $file has $name", ({ file, name }) => {
  expect(existsSync(path.join(ROOT, file))).toBe(true);
  expect(readFileSync(path.join(ROOT, file), "utf8")).toMatch(new RegExp(`(function\\*?|const) ${name}\\b|^  (async )?${name}\\(`, "m"));
});
