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

/** Ways to write another site, or code, where one of our pages is expected. */
const AWAY = [
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/\\/evil.example",
  "//evil.example/%2f..",
  "/%09/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\nLocation: https://evil.example",
  "https://evil.example",
  "HTTPS://evil.example",
  "https:evil.example",
  "https:/evil.example",
  "http://localhost:3000@evil.example",
  "http://localhost:3000.evil.example",
  "//localhost:3000@evil.example",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "%2f%2fevil.example",
  "%5c%5cevil.example",
  "/%5cevil.example",
  "/%2f%2fevil.example",
  " //evil.example",
  "\u0000//evil.example",
  "//evil。example",
  "/.//evil.example",
  "ftp://evil.example",
];

test.each(AWAY)("%j leaves the site nowhere", (away) => {
  expect(new URL(safeReturnTo(away), "http://localhost:3000").origin).toBe("http://localhost:3000");
});
