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

test.each([undefined, null, 0, -5, "soon", {}])("a lifetime of %j is unknown: ten minutes are assumed and marked", (lifetime) => {
  expect(grant({ access_token: "a", expires_in: lifetime })).toMatchObject({
    grant: { expiryKnown: false, expiresAt: new Date("2026-01-01T00:10:00Z"), refreshToken: null, scopes: null },
  });
});

test("a lifetime beyond reason does not overflow a date", () => {
  expect(grant({ access_token: "a", expires_in: 1e300 })).toMatchObject({ outcome: "granted", grant: { expiryKnown: true } });
});

test.each(["", "null", "[]", "<html>", '"token"', "{}", '{"access_token":""}', '{"access_token":5}'])("%j is malformed", (text) => {
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
  [302, "", "answer_malformed", "http_302", false],
  [429, "", "platform_error", "http_429", true],
  [503, { error: "temporarily_unavailable" }, "platform_error", "temporarily_unavailable", true],
])("%i with %j is %s", (status, body, code, raw, retryable) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  expect(readTokenError(status, text)).toEqual({ outcome: "failed", code, raw, retryable });
});
