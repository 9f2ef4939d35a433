import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { writeServerModules } from "../../../tools/package/server-modules.ts";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };

test("the packed server is JavaScript that needs no sources, and imports nothing that its package doesn't ask for", async () => {
  const folder = temporaryFolder();
  const packages = await writeServerModules(folder);
  expect(packages).toEqual(expect.arrayContaining(["next", "pg", "pino", "ipaddr.js"]));
  expect(packages.filter((name) => dependencies[name] === undefined)).toEqual([]);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const program of ["start", "web", "worker", "backups/backup", "backups/restore"])
    expect(files).toContain(path.join("lib/processes", `${program}.js`));
  const modules = files.filter((file) => file.endsWith(".js")).map((file) => readFileSync(path.join(folder, file), "utf8"));
  expect(modules.filter((text) => /(from|import\() ?"(#|\.[^"]*\.ts")/.test(text))).toEqual([]);
});
