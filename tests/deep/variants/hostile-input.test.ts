import { afterEach, expect, test } from "vitest";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { figure } from "#tests/support/figure";
import { askWithHostileInput, EXAMPLE_ENV } from "#tests/support/hostile/hostile-input";
import { askWithHostileTexts, isJsonLine } from "#tests/support/hostile/hostile-texts";
import { ALL } from "#tests/support/sample";

useDatabase(EXAMPLE_ENV);
afterEach(clearWorlds);

test("every hostile value in every field of every route is never answered with an error of ours", { timeout: 1_800_000 }, async () => {
  const { cookie } = await makeExampleWorld();
  const { asked, faults } = await askWithHostileInput(cookie, ALL);
  expect(faults).toEqual({});
  expect(asked).toBeGreaterThan(3000);
  figure(`${asked} calls with hostile values: none answered with an error of ours`);
});

test("every hostile text in every field of every route is answered with words, never with our insides, and logged as JSON", {
  timeout: 1_800_000,
}, async () => {
  const { cookie } = await makeExampleWorld();
  const log = captureLog();
  const { asked, faults } = await askWithHostileTexts(cookie, ALL);
  log.stop();
  expect(faults).toEqual([]);
  const lines = log.text().split("\n").slice(0, -1);
  expect(lines.filter((line) => !isJsonLine(line))).toEqual([]);
  expect(asked).toBeGreaterThan(3000);
  figure(`${asked} calls with hostile texts: 0 answered 5xx, 0 showed a stack, SQL or a path`);
});
