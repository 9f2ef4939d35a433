import { expect, test } from "vitest";
import { env, resetEnv } from "#lib/config/env";

const shownPort = () => [process.env.PORT, env().PORT];
const before = shownPort();

test("a test has the variables that it sets", () => {
  resetEnv({ PORT: "4567" });
  expect(shownPort()).toEqual(["4567", 4567]);
});

test("and the test after it does not", () => {
  expect(shownPort()).toEqual(before);
});
