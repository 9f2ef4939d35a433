import { expect, test } from "vitest";
import { readGrant, readTokenError } from "#lib/platform/oauth";

const now = new Date("2026-01-01T00:00:00Z");
const grant = (body: unknown) => readGrant(typeof body === "string" ? body : JSON.stringify(body), now);

test("the names of RFC 6749 are read", () => {
  expect(grant({ access_token: "a", refresh_token: "r", expires_in: 60, scope: "one two", token_type: "Bearer" })).toEqual({
    outcome: "granted",
    grant: {
      accessToken: "a",
      refreshToken: "r",
      expiresAt: new Date("2026-01-01T00:01:00Z"),
      expiryKnown: true,
      scopes: ["one", "two"],
      account: null,
      integrationId: null,
    },
  });
});

test("camelCase is read too, and RFC 6749's name wins where both stand", () => {
  expect(grant({ accessToken: "a", refreshToken: "r", expiresIn: "60", scopes: ["one"] })).toMatchObject({
    grant: { accessToken: "a", refreshToken: "r", expiryKnown: true, scopes: ["one"] },
  });
  expect(grant({ access_token: "standard", accessToken: "other" })).toMatchObject({ grant: { accessToken: "standard" } });
});

test.each([undefined, null, 0, -5, "soon", {}, [3600], true])(
  "a lifetime of %j is unknown: ten minutes are assumed and marked",
  (lifetime) => {
    expect(grant({ access_token: "a", expires_in: lifetime })).toMatchObject({
      grant: { expiryKnown: false, expiresAt: new Date("2026-01-01T00:10:00Z"), refreshToken: null, scopes: null },
    });
  },
);

test.each([
  ["3600", 3600],
  [90.5, 90.5],
  [3.2e12, 315_360_000],
])("a lifetime of %j is known: %d seconds", (lifetime, seconds) => {
  const expiresAt = new Date(now.getTime() + seconds * 1000);
  expect(grant({ access_token: "a", expires_in: lifetime })).toMatchObject({ grant: { expiryKnown: true, expiresAt } });
});

test("a lifetime beyond reason does not overflow a date", () => {
  expect(grant({ access_token: "a", expires_in: 1e300 })).toMatchObject({ outcome: "granted", grant: { expiryKnown: true } });
});

const ODD = ["42", '{"access_token":"a"', '{"access_token":"a"}{"access_token":"b"}', "access_token=a&token_type=bearer"];
const TOKENLESS = ["{}", '{"access_token":""}', '{"access_token":5}', '{"access_token":null}', '{"access_token":{"value":"a"}}'];
const DEEP = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;

test.each(["", "null", "[]", "<html>", '"token"', ...ODD, ...TOKENLESS, DEEP])("%.60j is malformed", (text) => {
  expect(grant(text)).toEqual({ outcome: "failed", code: "answer_malformed", raw: null, retryable: false });
});

test.each([
  [401, { error: "invalid_client" }, "client_rejected", "invalid_client", false],
  [400, { error: "invalid_grant" }, "code_rejected", "invalid_grant", false],
  [400, { error: "invalid_scope" }, "scope_rejected", "invalid_scope", false],
  [400, { error: "redirect_uri_mismatch" }, "callback_not_registered", "redirect_uri_mismatch", false],
  [400, { error: "constructor" }, "platform_error", "constructor", false],
  [401, "<html>", "client_rejected", "http_401", false],
  [400, { error: "line\nbreak" }, "client_rejected", "http_400", false],
  [400, { error: { message: "no" } }, "client_rejected", "http_400", false],
  [400, { access_token: "a", refresh_token: "r" }, "client_rejected", "http_400", false],
  [400, { error: "teapot" }, "platform_error", "teapot", false],
  [300, { access_token: "a" }, "answer_malformed", "http_300", false],
  [408, "", "platform_error", "http_408", true],
  [500, "Error: at /srv/app.js:1", "platform_error", "http_500", true],
  [302, "", "answer_malformed", "http_302", false],
  [429, "", "platform_error", "http_429", true],
  [503, { error: "temporarily_unavailable" }, "platform_error", "temporarily_unavailable", true],
])("%i with %j is %s", (status, body, code, raw, retryable) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  expect(readTokenError(status, text)).toEqual({ outcome: "failed", code, raw, retryable });
});

test.each([
  ["unknown_token_type", { token_type: 5 }],
  ["unknown_token_type", { token_type: {} }],
  ["unknown_token_type", { token_type: "" }],
  ["unknown_token_type", { token_type: "mac" }],
  ["unknown_token_type", { token_type: "DPoP" }],
  ["unusable_access_token", { access_token: "a\r\nX-Evil: 1" }],
  ["unusable_access_token", { access_token: "a b" }],
  ["unusable_access_token", { access_token: "a\u0000" }],
  ["unusable_access_token", { access_token: "ä" }],
  ["unusable_access_token", { access_token: "a".repeat(20_000) }],
  ["unusable_refresh_token", { refresh_token: "r\n" }],
  ["unusable_refresh_token", { refresh_token: "r\ud800" }],
])("is named %s: %.60j", (raw, fields) => {
  expect(grant({ access_token: "a", refresh_token: "r", ...fields })).toMatchObject({ outcome: "failed", code: "answer_malformed", raw });
});
