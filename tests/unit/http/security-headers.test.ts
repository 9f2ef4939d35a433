import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { pagePolicy } from "#lib/http/security-headers";

const policy = (secure: boolean) => pagePolicy({ nonce: "n0nce", secure, development: false });
const directive = (name: string) =>
  policy(true)
    .split("; ")
    .find((each) => each.startsWith(`${name} `)) ?? "";

test("scripts run by nonce alone: no inline, no eval, no list of hosts", () => {
  expect(directive("script-src")).toBe("script-src 'self' 'nonce-n0nce' 'strict-dynamic'");
  expect(directive("script-src-attr")).toBe("script-src-attr 'none'");
  for (const name of ["object-src", "base-uri", "frame-ancestors", "frame-src", "worker-src"])
    expect(directive(name)).toBe(`${name} 'none'`);
});

test("requests are lifted to https only where the public address is https", () => {
  expect(policy(true)).toContain("upgrade-insecure-requests");
  expect(policy(false)).not.toContain("upgrade-insecure-requests");
});

test("the allowed hash is that of the styles that the installed sonner writes", () => {
  const source = readFileSync(
    createRequire(import.meta.url)
      .resolve("sonner")
      .replace(/\.js$/, ".mjs"),
    "utf8",
  );
  const styles = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(source)?.[1] ?? '""';
  const hash = createHash("sha256")
    .update(JSON.parse(styles) as string)
    .digest("base64");
  expect(directive("style-src")).toContain(`'sha256-${hash}'`);
});
