import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { startConnectResult } from "#lib/contracts/connections";
import { pool } from "#lib/db/pool";
import { readConnection } from "#lib/flows/connections/connections";
import { makeAccount } from "#tests/support/account";
import { type CapturedLog, captureLog } from "#tests/support/captured-log";
import { expectNothingLinked, useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, arrive, begin, beginAnew, comeBack, connect } from "#tests/support/platform-connection";
import { callRoute } from "#tests/support/routes";
import { ofEachKind } from "#tests/support/sample";
import { GET, HEAD } from "../../../app/callback/route.ts";

const { platform } = useHostilePlatform();
const goodAnswer = platform.answer;

test("connecting asks as the platform documents it, exchanges as JSON and seals the tokens", async () => {
  const { actor, url, state, connectionId } = await beginAnew({ name: "Acme production" });
  expect(url.pathname).toBe("/oauth/authorize");
  expect(url.search).toContain("scope=documents%3Aread+tasks%3Aread");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: "the-client",
    redirect_uri: "http://localhost:3000/callback",
    scope: "documents:read tasks:read",
    response_type: "code",
    state,
  });
  await expect(comeBack(actor, { code: "the code/+", state })).resolves.toEqual({ outcome: "connected", connectionId });
  const [asked] = platform.requests;
  expect(asked).toEqual({
    path: "/oauth/token",
    contentType: "application/json",
    fields: {
      grant_type: "authorization_code",
      code: "the code/+",
      redirect_uri: "http://localhost:3000/callback",
      client_id: "the-client",
      client_secret: "the-secret",
    },
  });
  expect(await readConnection(actor.workspaceId, connectionId, new Date())).toMatchObject({
    name: "Acme production",
    state: "connected",
    problem: null,
    grantedScopes: ["documents:read"],
    hasRefreshToken: true,
    history: [{ kind: "connected" }],
  });
});

test("no token and no state is anywhere in the database as it is", async () => {
  platform.answer = () => ({ body: { access_token: "find-me-access", refresh_token: "find-me-refresh" } });
  const { actor, state } = await beginAnew();
  await comeBack(actor, { code: "find-me-code", state });
  const { rows } = await pool().query(
    `SELECT (SELECT json_agg(t) FROM connection_tokens t)::text || (SELECT json_agg(c) FROM connections c)::text ||
            (SELECT json_agg(a) FROM authorization_attempts a)::text || (SELECT json_agg(h) FROM connection_history h)::text AS everything`,
  );
  expect(rows[0].everything).not.toContain("find-me");
  expect(rows[0].everything).not.toContain(state);
});

test("a refusal that comes back without its state still names its cause, and uses nothing up", async () => {
  const { actor, connectionId, state } = await beginAnew();
  await expect(comeBack(actor, { error: "access_denied" })).resolves.toEqual({ outcome: "access_denied", connectionId });
  await expect(comeBack(actor, { error: "access_denied", state: "made-up" })).resolves.toMatchObject({ outcome: "state_mismatch" });
  await expect(comeBack(actor, { code: "c", state })).resolves.toMatchObject({ outcome: "connected" });
});

test.each([
  [{ error: "access_denied" }, "access_denied", "User denied permissions or cancelled."],
  [{}, "code_missing", "User denied permissions or cancelled."],
  [{ error: "invalid_scope" }, "scope_rejected", "Requested permissions are not allowed."],
  [{ error: "unauthorized_client" }, "client_rejected", "Client ID or client secret is incorrect."],
  [{ error: "server_error" }, "platform_error", "It has a temporary problem"],
])("coming back with %j shows on the card as %s", async (fields, code, why) => {
  const { actor, connectionId, state } = await beginAnew();
  await expect(comeBack(actor, { ...fields, state })).resolves.toEqual({ outcome: code, connectionId });
  const card = await readConnection(actor.workspaceId, connectionId, new Date());
  expect(card).toMatchObject({ state: "pending", problem: { code }, history: [{ kind: "connect_failed", code }] });
  expect(card?.problem?.why).toContain(why);
  expect(platform.requests).toHaveLength(0);
});

test("an exchange that fails ends on the card, and the next try is free", async () => {
  const code = "code_rejected";
  platform.answer = () => ({ status: 400, body: { error: "invalid_grant" } });
  const { actor, connectionId, state } = await beginAnew();
  await expect(comeBack(actor, { code: "c", state })).resolves.toEqual({ outcome: code, connectionId });
  expect((await readConnection(actor.workspaceId, connectionId, new Date()))?.problem?.code).toBe(code);
  platform.answer = goodAnswer;
  const again = await begin(actor, { connectionId });
  await expect(comeBack(actor, { code: "c", state: again.state })).resolves.toEqual({ outcome: "connected", connectionId });
  expect((await readConnection(actor.workspaceId, connectionId, new Date()))?.problem).toBeNull();
});

test("a failed try to reconnect leaves a good connection as it is", async () => {
  const { actor, connectionId } = await connect();
  const { state } = await begin(actor, { connectionId });
  await comeBack(actor, { error: "access_denied", state });
  expect(await readConnection(actor.workspaceId, connectionId, new Date())).toMatchObject({ state: "connected", problem: null });
});

const ISSUER = "https://platform.example";

describe("answers that bring no code to exchange", () => {
  const CASES: [string, (state: string) => string, string, { issuer?: boolean }?][] = [
    ["an error with the state", (state) => `error=access_denied&state=${state}`, "access_denied"],
    ["an error without a state", () => "error=access_denied", "access_denied"],
    ["an unknown error", (state) => `error=teapot&state=${state}`, "platform_error"],
    ["an error with markup for a name", (state) => `error=%3Cscript%3E&state=${state}`, "platform_error"],
    ["an error beside a code", (state) => `error=access_denied&code=c&state=${state}`, "access_denied"],
    ["an empty error beside a code", (state) => `error=&code=c&state=${state}`, "platform_error"],
    ["no code", (state) => `state=${state}`, "code_missing"],
    ["an empty code", (state) => `code=&state=${state}`, "code_missing"],
    ["two codes", (state) => `code=one&code=two&state=${state}`, "answer_malformed"],
    ["the same code twice", (state) => `code=c&code=c&state=${state}`, "answer_malformed"],
    ["tokens in the address (implicit flow)", (state) => `access_token=a&token_type=bearer&state=${state}`, "code_missing"],
    ["another issuer", (state) => `code=c&state=${state}&iss=https://evil.example`, "issuer_mismatch", { issuer: true }],
    ["no issuer where one is expected", (state) => `code=c&state=${state}`, "issuer_mismatch", { issuer: true }],
    ["the issuer with a slash more", (state) => `code=c&state=${state}&iss=${ISSUER}/`, "issuer_mismatch", { issuer: true }],
    ["two issuers", (state) => `code=c&state=${state}&iss=${ISSUER}&iss=https://evil.example`, "answer_malformed", { issuer: true }],
    [
      "a refusal by another issuer",
      (state) => `error=access_denied&state=${state}&iss=https://evil.example`,
      "issuer_mismatch",
      { issuer: true },
    ],
  ];

  test.each(ofEachKind(CASES, ([, , outcome]) => outcome))("%s", async (_what, queryOf, outcome, { issuer = false } = {}) => {
    if (issuer) resetEnv({ PLATFORM_ISSUER: ISSUER });
    const { account, state, connectionId } = await beginAnew();
    const answer = await expectNothingLinked(platform, account, () => arrive(queryOf(state), { cookie: account.cookie }));
    expect(answer.headers.get("location")).toBe(`http://localhost:3000/connections/${connectionId}?outcome=${outcome}`);
  });

  test("HEAD and prefetches consume nothing: the person who follows is let through", async () => {
    const { account, state } = await beginAnew();
    const ahead: Record<string, string>[] = [
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { purpose: "prefetch" },
      { "x-moz": "prefetch" },
    ];
    await expectNothingLinked(platform, account, async () => {
      expect(HEAD().status).toBe(204);
      for (const headers of ahead) {
        const answer = await arrive(`code=c&state=${state}`, { ...headers, cookie: account.cookie });
        expect([answer.status, answer.headers.get("cache-control")]).toEqual([204, "no-store"]);
      }
    });
    await expect(comeBack(await actorOf(account), { code: "c", state })).resolves.toMatchObject({ outcome: "connected" });
  });
});

/** Comes back with a code that nobody else has, and looks for it in everything that is left behind. */
async function comeBackWatched(prepare: () => unknown, withState: boolean, log: CapturedLog): Promise<void> {
  const { account, state } = await beginAnew();
  await prepare();
  const code = `code-${randomUUID()}`;
  const answer = await arrive({ code, ...(withState && { state }) }, { cookie: account.cookie });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  const shown = `${[...answer.headers].join()} ${await answer.text()}`;
  const location = answer.headers.get("location");
  if (location) expect([...new URL(location).searchParams.keys()]).toEqual(["outcome"]);
  for (const secret of [code, state]) {
    expect(shown).not.toContain(secret);
    expect(log.text()).not.toContain(secret);
  }
}

describe("the callback's answer keeps nothing and tells nothing", () => {
  test("whatever comes of it: connected, refused, unreachable, a vault without its key, an error that nobody expected", async () => {
    const log = captureLog();
    const { VAULT_KEYS = "", PLATFORM_TOKEN_URL = "" } = resetEnv();
    try {
      await comeBackWatched(() => undefined, true, log);
      await comeBackWatched(() => undefined, false, log);
      for (const [status, error] of [
        [400, "invalid_grant"],
        [401, "invalid_client"],
        [503, "server_error"],
      ] as const)
        await comeBackWatched(() => (platform.answer = ({ fields }) => ({ status, body: { error, echoed: fields.code } })), true, log);
      await comeBackWatched(() => (platform.answer = ({ fields }) => ({ body: `<html>${fields.code}</html>` })), true, log);
      await comeBackWatched(() => resetEnv({ PLATFORM_TOKEN_URL: "http://127.0.0.1:1" }), true, log);
      resetEnv({ PLATFORM_TOKEN_URL });
      platform.answer = goodAnswer;
      await comeBackWatched(() => resetEnv({ VAULT_KEYS: "" }), true, log);
      resetEnv({ VAULT_KEYS });
      await comeBackWatched(() => pool().query("ALTER TABLE authorization_attempts RENAME TO elsewhere"), true, log);
      await pool().query("ALTER TABLE elsewhere RENAME TO authorization_attempts");
    } finally {
      log.stop();
    }
    expect(log.text()).toContain("unexpected error");
    expect(log.text()).toContain("secrets can't be encrypted");
  });

  test("HEAD answers without a word", async () => {
    const answer = HEAD();
    expect([answer.status, await answer.text(), answer.headers.get("referrer-policy")]).toEqual([204, "", "no-referrer"]);
  });
});

const REGISTERED = "http://localhost:3000/callback";

const start = (headers: Record<string, string>, body: object) =>
  callRoute("POST", "api/v1/connections", { ...headers, origin: "http://localhost:3000" }, { body });

/** Headers that proxies and attackers add to a request. */
const HOSTILE: Record<string, string>[] = [
  { host: "evil.example" },
  { "x-forwarded-host": "evil.example" },
  { "x-forwarded-host": "evil.example, localhost:3000" },
  { "x-forwarded-proto": "https" },
  { "x-forwarded-port": "8443" },
  { "x-forwarded-prefix": "/evil" },
  { "x-original-host": "evil.example", "x-host": "evil.example", "x-forwarded-server": "evil.example" },
  { forwarded: "host=evil.example;proto=https" },
  { "x-original-url": "/evil", "x-rewrite-url": "/evil" },
  { referer: "https://evil.example/", host: "localhost:3000@evil.example" },
];

/** Ways to write another site, or code, where one of our pages is expected. */
const AWAY = ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "%2f%2fevil.example", " //evil.example"];

describe("no request changes where the platform or the browser is sent", () => {
  test.each(ofEachKind(HOSTILE, (headers) => "host" in headers))(
    "redirect_uri is the registered one, byte for byte, under %o",
    async (headers) => {
      const { cookie } = await makeAccount();
      const begun = await start({ ...headers, cookie }, { name: "x" });
      const { authorizationUrl } = startConnectResult.parse(await begun.json());
      const asked = new URL(authorizationUrl).searchParams;
      expect(asked.get("redirect_uri")).toBe(REGISTERED);
      const answer = await GET(
        new Request(`http://evil.example:9/callback?code=c&state=${asked.get("state")}`, { headers: { ...headers, cookie } }),
      );
      expect(platform.requests.map(({ fields }) => fields.redirect_uri)).toEqual([REGISTERED]);
      expect(answer.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/connections\/con_[a-z0-9]+\?outcome=connected$/);
    },
  );

  test.each(ofEachKind(AWAY, ([first]) => first))("%j leaves the site nowhere", async (away) => {
    const { cookie } = await makeAccount();
    // From the callback, under every name that such a parameter has had:
    const query = new URLSearchParams(
      ["returnTo", "return_to", "callbackUrl", "redirect", "next", "url", "redirect_uri"].map((name) => [name, away]),
    );
    const answer = await arrive(query.toString(), { cookie });
    expect(answer.headers.get("location")).toBe("http://localhost:3000/connections?outcome=state_mismatch");
    // And from the start of an attempt: a body that says more than the contract starts none.
    const begun = await start({ cookie }, { name: "x", returnTo: away, redirect_uri: away, redirectUri: away });
    expect(begun.status).toBe(400);
  });
});
