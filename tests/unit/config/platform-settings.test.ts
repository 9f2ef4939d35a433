import { expect, test } from "vitest";
import { parseEnv } from "#lib/config/env";

const CLIENT = { PLATFORM_CLIENT_ID: "id", PLATFORM_CLIENT_SECRET: "secret" };
const FULL = {
  ...CLIENT,
  PLATFORM_AUTHORIZE_URL: "https://id.example/consent?tenant=1",
  PLATFORM_TOKEN_ENDPOINT: "https://api.example/v2/token?key=1",
};

test("full URLs are used as they are, switch the sandbox off, and ask for no scope of the sandbox", () => {
  const env = parseEnv(FULL);
  expect(env).toMatchObject({ sandboxOn: false, platformMissing: [] });
  expect(env.platform).toMatchObject({
    isSandbox: false,
    authorizeUrl: FULL.PLATFORM_AUTHORIZE_URL,
    tokenEndpoint: FULL.PLATFORM_TOKEN_ENDPOINT,
    scopes: [],
    revokes: "account",
  });
});

test("full URLs win over the base URLs, one without the other too", () => {
  const base = { ...CLIENT, PLATFORM_AUTH_URL: "https://base.example/x/", PLATFORM_TOKEN_URL: "https://base.example" };
  expect(parseEnv({ ...base, ...FULL }).platform.authorizeUrl).toBe(FULL.PLATFORM_AUTHORIZE_URL);
  const { platform } = parseEnv({ ...base, PLATFORM_TOKEN_ENDPOINT: FULL.PLATFORM_TOKEN_ENDPOINT });
  expect(platform.authorizeUrl).toBe("https://base.example/x/oauth/authorize");
  expect(platform.tokenEndpoint).toBe(FULL.PLATFORM_TOKEN_ENDPOINT);
});

test("an issuer alone leaves the addresses to its metadata", () => {
  const env = parseEnv({ ...CLIENT, PLATFORM_ISSUER: "https://id.example" });
  expect(env).toMatchObject({ sandboxOn: false, platform: { isSandbox: false, authorizeUrl: null, tokenEndpoint: null } });
});

const refusal = (given: Record<string, string>): string => {
  try {
    parseEnv(given);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  [{ PLATFORM_AUTHORIZE_URL: "https://p.example/a", ...CLIENT }, "PLATFORM_AUTHORIZE_URL requires PLATFORM_TOKEN_ENDPOINT"],
  [{ PLATFORM_TOKEN_ENDPOINT: "https://p.example/a", ...CLIENT }, "PLATFORM_TOKEN_ENDPOINT requires PLATFORM_AUTHORIZE_URL"],
  [{ PLATFORM_ISSUER: "https://p.example" }, "PLATFORM_ISSUER requires PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET"],
  [{ PLATFORM_AUTH_URL: "https://p.example", ...CLIENT }, "PLATFORM_AUTH_URL requires PLATFORM_TOKEN_URL"],
])("%j says what it lacks: %s", (given, words) => {
  expect(refusal(given)).toContain(words);
});

test.each([
  ["PLATFORM_AUTHORIZE_PARAMS", "prompt=consent&state=1", "must not contain state, which Signalbox sets itself"],
  ["PLATFORM_AUTHORIZE_PARAMS", "scope=a", "must not contain scope, which Signalbox sets itself (PLATFORM_SCOPES)"],
  ["PLATFORM_AUTHORIZE_PARAMS", "response_mode=form_post", "must not contain a response_mode but query"],
  ["PLATFORM_AUTHORIZE_PARAMS", "prompt=consent&prompt=login", "must not contain a parameter twice"],
  ["PLATFORM_AUTHORIZE_PARAMS", "?prompt=consent", "must be parameters, for example"],
  [
    "PLATFORM_AUTHORIZE_URL",
    "https://p.example/a?client_id=x",
    "must not contain client_id, which Signalbox sets itself (PLATFORM_CLIENT_ID) in its query",
  ],
  ["PLATFORM_AUTHORIZE_URL", "https://p.example/#/a", "must be a URL without credentials or fragment"],
  ["PLATFORM_TOKEN_ENDPOINT", "https://me:you@p.example/a?b", "must be a URL without credentials or fragment"],
  ["PLATFORM_ISSUER", "https://p.example/?a", "must be a URL without credentials, query or fragment"],
  ["PLATFORM_TOKEN_AUTH", "digest", "must be body or basic"],
  ["PLATFORM_SCOPE_SEPARATOR", ",", "must be space or comma"],
])("%s=%s is refused: %s", (name, value, words) => {
  expect(refusal({ ...FULL, [name]: value })).toContain(`${name} ${words}`);
});

test("scopes are written with spaces, or with commas where the platform joins them so", () => {
  const scopes = (given: Record<string, string>) => parseEnv({ ...FULL, ...given }).platform.scopes;
  expect(scopes({ PLATFORM_SCOPES: "read,write all" })).toEqual(["read,write", "all"]);
  expect(scopes({ PLATFORM_SCOPES: "read, write all", PLATFORM_SCOPE_SEPARATOR: "comma" })).toEqual(["read", "write", "all"]);
});
