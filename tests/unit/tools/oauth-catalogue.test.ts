import { expect, test } from "vitest";
import { differenceOf, expressProvider, readCatalogue } from "../../../tools/oauth-catalogue.ts";

// Entries in the catalogue's form, of providers that don't exist: its own are not ours to copy.
const CATALOGUE = `
keys: { auth_mode: API_KEY }
whole:
  auth_mode: OAUTH2
  authorization_url: https://\${connectionConfig.subdomain}.example/authorize?kind=a
  authorization_params: { response_type: code, audience: "\${connectionConfig.region}", scope: all }
  token_url: https://\${connectionConfig.region}.example/token || https://example.com/token
  token_params: { grant_type: authorization_code, expires_in: "1800" }
  refresh_url: https://example.com/refresh
  refresh_params: { grant_type: refresh_token }
  token_request_auth_method: basic
  body_format: json
  scope_separator: ","
  disable_pkce: true
dice: { alias: whole, authorization_params: { nonce: "\${random}" } }
other: { alias: whole, authorization_url: "https://other.example/a" }
third: { alias: other, token_url: "https://third.example/t" }
`;

const catalogue = new Map(readCatalogue(CATALOGUE));
const whole = catalogue.get("whole") ?? {};

test("an entry becomes settings, with its tenant written into them", () => {
  expect(expressProvider("whole", whole)).toEqual({
    settings: {
      PLATFORM_AUTHORIZE_URL: "https://tenant.example/authorize?kind=a",
      PLATFORM_TOKEN_ENDPOINT: "https://example.com/token",
      PLATFORM_REFRESH_URL: "https://example.com/refresh",
      PLATFORM_CLIENT_ID: "the-client",
      PLATFORM_CLIENT_SECRET: "the-secret",
      PLATFORM_SCOPES: "all",
      PLATFORM_SCOPE_SEPARATOR: "comma",
      PLATFORM_AUTHORIZE_PARAMS: "audience=https%3A%2F%2Ftenant.example",
      PLATFORM_TOKEN_AUTH: "basic",
      PLATFORM_TOKEN_BODY: "json",
      PLATFORM_PKCE: "off",
    },
  });
});

test("an alias has what it does not say itself from the other, over two steps too; other kinds of access are left out", () => {
  expect([...catalogue.keys()]).toEqual(["whole", "dice", "other", "third"]);
  const { authorization_url, token_url, body_format } = catalogue.get("third") ?? {};
  expect([authorization_url, token_url, body_format]).toEqual(["https://other.example/a", "https://third.example/t", "json"]);
});

test.each([
  [{ authorization_params: { response_type: "code id_token" } }, 'response_type is "code id_token"'],
  [{ authorization_url_replacements: { client_id: "app_id" } }, "parameters of the authorization request have other names"],
  [{ authorization_code_param_in_callback: "auth" }, "the code comes back as auth"],
  [{ token_params: { resource: "x" } }, "the exchange has further fields: resource"],
  [{ refresh_params: { grant_type: "fb_exchange_token" } }, "the refresh's grant_type is fb_exchange_token"],
  [{ scope_separator: ";" }, 'scopes are joined by ";"'],
])("%j can't be expressed: %s", (more, why) => {
  expect(expressProvider("whole", { ...whole, ...more })).toEqual({ why });
});

test("a random parameter can't be expressed, nor what its provider does by a protocol of its own", () => {
  expect(expressProvider("dice", catalogue.get("dice") ?? {})).toEqual({ why: "each request needs a random parameter" });
  expect(expressProvider("slack", whole)).toEqual({ why: expect.stringContaining("token_type") });
});

test("settings are tried: what Signalbox would ask is compared with what the catalogue wants", async () => {
  const expressed = expressProvider("whole", whole);
  const settings = "settings" in expressed ? expressed.settings : {};
  await expect(differenceOf(settings, whole)).resolves.toBeNull();
  await expect(differenceOf({ ...settings, PLATFORM_AUTHORIZE_PARAMS: "" }, whole)).resolves.toContain("lacks audience");
  await expect(differenceOf({ ...settings, PLATFORM_AUTHORIZE_PARAMS: "state=1" }, whole)).resolves.toContain("must not contain state");
});
