import { expect, test } from "vitest";
import { safeReturnTo } from "#lib/contracts/safe-urls";

test.each(["/", "/events?type=a&x=/y", "/connections/con_1?outcome=connected#top"])("%s is one of our pages", (path) => {
  expect(safeReturnTo(path)).toBe(path);
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "/\t/evil.example",
  "/\n\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "evil",
  "",
  " /events",
  null,
  undefined,
  ["/events"],
])("%j leads to the start page", (value) => {
  expect(safeReturnTo(value)).toBe("/");
});
