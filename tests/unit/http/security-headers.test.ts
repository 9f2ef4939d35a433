import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { HEADER_RULES, pagePolicy, STATIC_HEADERS } from "#lib/http/security-headers";
import config from "../../../next.config.ts";

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

/** Returns what Next sends for a path: of two rules that name the same header the later one holds. */
function headersFor(path: string): Record<string, string> {
  const matches = (source: string) => new RegExp(`^${source.replace("/:path*", "(?:/.*)?")}$`).test(path);
  return Object.assign({}, ...HEADER_RULES.filter(({ source }) => matches(source)).map(({ headers }) => headers));
}

test("Next sends the rules, in their order", async () => {
  const sent = (await config.headers?.()) ?? [];
  expect(sent.map(({ source }) => source)).toEqual(HEADER_RULES.map(({ source }) => source));
  expect(sent.map(({ headers }) => Object.fromEntries(headers.map(({ key, value }) => [key, value])))).toEqual(
    HEADER_RULES.map(({ headers }) => headers),
  );
});

test("every path gets every static header, and those that hold an authorization code pass no address on", () => {
  for (const path of ["/", "/sign-in", "/api/v1/events", "/sandbox/oauth/authorize", "/metrics"])
    expect(headersFor(path)).toMatchObject(STATIC_HEADERS);
  for (const path of ["/callback", "/api/auth/callback/oidc", "/sandbox/oauth/authorize/decision"])
    expect(headersFor(path)).toMatchObject({ ...STATIC_HEADERS, "referrer-policy": "no-referrer" });
});

test("no source sets a header to another value than the rule of its path: Next would drop it", () => {
  const ruled = Object.keys(STATIC_HEADERS).join("|");
  const sources = ["app", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  const setting = sources.filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith("lib/db/generated") && new RegExp(`"(?:${ruled})"`).test(readFileSync(name, "utf8")),
  );
  // The third sets nosniff on the answer to a challenge, which passes by Next; the fourth no-referrer where the rules do.
  expect(setting.sort()).toEqual([
    "app/callback/route.ts",
    "lib/http/security-headers.ts",
    "lib/platform/schemes/challenges.ts",
    "lib/processes/server/web-server.ts",
  ]);
});
