import { expect, test } from "vitest";
import { TEST_ENV } from "#tests/support/environment";
import { findLeaks } from "../../../tools/leaks.ts";

test("a secret or a canary in a log is found, and not repeated", () => {
  const canary = `canary-access-${"0a".repeat(18)}`;
  expect(findLeaks(`all is well\nsecret=${TEST_ENV.NEXTAUTH_SECRET} ${canary}`)).toEqual([
    `a secret of ${TEST_ENV.NEXTAUTH_SECRET.length} characters`,
    "canary-access-",
  ]);
  expect(findLeaks("all is well")).toEqual([]);
});
