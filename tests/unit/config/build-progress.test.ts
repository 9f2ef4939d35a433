import { expect, test } from "vitest";
import { BuildOutput } from "#lib/installation/build";

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
