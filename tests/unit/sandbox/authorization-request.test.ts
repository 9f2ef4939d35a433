import { expect, test } from "vitest";
import { checkAuthorizationRequest } from "#lib/sandbox/oauth/authorization-request";

const APP = { clientId: "app", clientSecret: "secret", name: "Signalbox", callbacks: ["http://localhost:3000/callback"] };
const GOOD = {
  client_id: "app",
  redirect_uri: "http://localhost:3000/callback",
  response_type: "code",
  scope: "documents:read tasks:read",
  state: "st/+=ate",
};
const check = (changes: Record<string, string | null> = {}) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...GOOD, ...changes })) if (value !== null) query.append(name, value);
  return checkAuthorizationRequest(query, APP);
};
const errorSent = (changes: Record<string, string | null>) => {
  const checked = check(changes);
  if (checked.outcome !== "redirect") throw new Error(checked.outcome);
  const { searchParams } = new URL(checked.location);
  return [searchParams.get("error"), searchParams.get("state")];
};

test("a good request is put to the person with its scopes and its state unchanged", () => {
  expect(check()).toEqual({
    outcome: "ask",
    request: {
      clientId: "app",
      redirectUri: GOOD.redirect_uri,
      scopes: ["documents:read", "tasks:read"],
      state: "st/+=ate",
      challenge: null,
      workspace: null,
    },
  });
});

test.each([
  "http://localhost:3000/callback/",
  "http://localhost:3000/callback?x=1",
  "http://evil.example/callback",
  "HTTP://localhost:3000/callback",
  null,
])("the callback %s is refused without a redirect", (redirect_uri) => {
  expect(check({ redirect_uri })).toEqual({ outcome: "reject", reason: "callback_not_registered" });
});

test("an unknown app is refused without a redirect, whatever its callback", () => {
  expect(check({ client_id: "other" })).toEqual({ outcome: "reject", reason: "unknown_app" });
});

test("a repeated callback is refused without a redirect", () => {
  const query = new URLSearchParams(GOOD);
  query.append("redirect_uri", GOOD.redirect_uri);
  expect(checkAuthorizationRequest(query, APP).outcome).toBe("reject");
});

test("an unknown or absent scope goes back as invalid_scope with the state", () => {
  expect(errorSent({ scope: "documents:read everything" })).toEqual(["invalid_scope", "st/+=ate"]);
  expect(errorSent({ scope: null })).toEqual(["invalid_scope", "st/+=ate"]);
  expect(errorSent({ scope: "constructor" })).toEqual(["invalid_scope", "st/+=ate"]);
});

test("another response type and an absent state go back as their errors", () => {
  expect(errorSent({ response_type: "token" })).toEqual(["unsupported_response_type", "st/+=ate"]);
  expect(errorSent({ state: null })).toEqual(["invalid_request", null]);
});

test("a challenge is taken with S256 alone", () => {
  const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  expect(check({ code_challenge, code_challenge_method: "S256" })).toMatchObject({ request: { challenge: code_challenge } });
  expect(errorSent({ code_challenge })).toEqual(["invalid_request", "st/+=ate"]);
  expect(errorSent({ code_challenge, code_challenge_method: "plain" })).toEqual(["invalid_request", "st/+=ate"]);
});
