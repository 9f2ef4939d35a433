import { expect, test } from "vitest";
import { errorFields } from "#lib/observability/logger";

test("what others said in an error steers no terminal: its stack is shown there as it is, line by line", () => {
  const error = new Error("the server said \u001b]0;title\u0007\u009b31m");
  const { stack } = errorFields(error) as { stack: string };
  expect(stack).toContain("the server said \\x1b]0;title\\x07\\x9b31m\n    at ");
});
