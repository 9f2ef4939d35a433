import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { BuildOutput, hashBuildInputs, isBuildFresh, markBuilt } from "#lib/installation/build";
import { temporaryFolder } from "#tests/support/temporary-folder";

function builtProject(): string {
  const root = temporaryFolder();
  for (const folder of ["app/page", "lib/db/generated", "components", ".next"]) mkdirSync(path.join(root, folder), { recursive: true });
  writeFileSync(path.join(root, PAGE), "one");
  writeFileSync(path.join(root, "package-lock.json"), "{}");
  writeFileSync(path.join(root, ".next/BUILD_ID"), "id");
  markBuilt(root, hashBuildInputs(root));
  return root;
}

test("the build of the packed product, which has no sources, is always fresh", () => {
  const root = builtProject();
  rmSync(path.join(root, "app"), { recursive: true });
  expect(isBuildFresh(root)).toBe(true);
  rmSync(path.join(root, ".next/BUILD_ID"));
  expect(isBuildFresh(root)).toBe(false);
});

const PAGE = "app/page/page.tsx";

test.each([PAGE, "package-lock.json", "next.config.ts", "components/new.tsx", "prisma/schema.prisma"])(
  "a change of %s makes it stale",
  (file) => {
    const root = builtProject();
    expect(isBuildFresh(root)).toBe(true);
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), "changed");
    expect(isBuildFresh(root)).toBe(false);
  },
);

test("a file that moved makes it stale, since its name is part of a route, and so does a build that was cut off, whatever the stamp says", () => {
  const [moved, cut] = [builtProject(), builtProject()];
  renameSync(path.join(moved, "app/page"), path.join(moved, "app/other"));
  rmSync(path.join(cut, ".next/BUILD_ID"));
  expect([isBuildFresh(moved), isBuildFresh(cut)]).toEqual([false, false]);
});

test("the generated client, tests and documents don't count", () => {
  const root = builtProject();
  writeFileSync(path.join(root, "lib/db/generated/client.ts"), "new");
  writeFileSync(path.join(root, "README.md"), "new");
  expect(isBuildFresh(root)).toBe(true);
});

const COMPILING = "   Creating an optimized production build ...\n";
const COMPILED = `${COMPILING} ✓ Compiled successfully in 31.2s\n`;

test("a build's progress follows what it says, grows in between, and never reaches the next stage by time alone", () => {
  const output = new BuildOutput(0);
  expect(output.progress(0)).toEqual({ percent: 2, waitsFor: "compiling" });
  output.hear(COMPILING, 0);
  const early = output.progress(10_000).percent;
  const late = output.progress(600_000).percent;
  expect(early).toBeGreaterThan(2);
  expect(late).toBeGreaterThan(early);
  expect(late).toBeLessThan(76);
  output.hear(COMPILED, 600_000);
  expect(output.progress(600_000)).toEqual({ percent: 75, waitsFor: "collecting the pages" });
  output.hear(`${COMPILED}   Generating static pages using 1 worker (0/9)`, 600_000);
  expect(output.progress(600_000)).toEqual({ percent: 88, waitsFor: "writing the static pages" });
});
