import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { env, resetEnv } from "#lib/config/env";
import { forget, once } from "#lib/context/once";
import { disconnectConnection, readConnection } from "#lib/flows/connections/connections";
import { refreshConnection } from "#lib/flows/connections/refresh-connection";
import { findPlatformServer } from "#lib/platform/authorization-server";
import { makeAccount } from "#tests/support/account";
import { contextOf } from "#tests/support/context";
import { connectElsewhere, type ForeignServer, startForeignServer } from "#tests/support/foreign-server";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin, beginAnew, comeBack } from "#tests/support/platform-connection";
import { GET as callback } from "../../../app/callback/route.ts";

const { platform } = useHostilePlatform();
const good = platform.answer;
const CALLBACK = "http://localhost:3000/callback";
const ADDRESSES = ["AUTH_URL", "TOKEN_URL", "REVOKE_URL", "AUTHORIZE_URL", "TOKEN_ENDPOINT", "REFRESH_URL"];
const WAYS = ["AUTHORIZE_PARAMS", "SCOPE_SEPARATOR", "TOKEN_AUTH", "TOKEN_BODY", "PKCE"];
const UNSET = Object.fromEntries([...ADDRESSES, ...WAYS].map((name) => [`PLATFORM_${name}`, ""]));
let address = "";

beforeEach(() => {
  address = env().PLATFORM_AUTH_URL ?? "";
  forget("platform-metadata");
  platform.authorizations.length = 0;
  resetEnv(UNSET);
});

const signedIn = async () => actorOf(await makeAccount());

describe("an authorization server that we did not write, which takes HTTP Basic alone, known by its issuer", () => {
  let foreign: ForeignServer;
  beforeAll(async () => {
    // It warns of its in-memory store and of http, which a test has on purpose.
    for (const method of ["info", "warn"] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
    foreign = await startForeignServer(CALLBACK, ["documents:read"], "basic");
  });
  beforeEach(() => {
    const { id, secret } = foreign.client;
    resetEnv({
      PLATFORM_ISSUER: foreign.issuer,
      PLATFORM_CLIENT_ID: id,
      PLATFORM_CLIENT_SECRET: secret,
      PLATFORM_SCOPES: "documents:read",
    });
  });
  afterAll(() => foreign.close());

  test("its metadata says where, by form, PKCE and Basic: connect, refresh, revoke", async () => {
    const { actor, id, url, outcome } = await connectElsewhere(CALLBACK, callback);
    expect([url.pathname, url.searchParams.get("code_challenge_method"), outcome]).toEqual(["/auth", "S256", "connected"]);
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
    await expect(disconnectConnection(contextOf(actor), id)).resolves.toMatchObject({ revocation: "revoked" });
    expect(foreign.events).toContain("grant.revoked");
  });

  test("credentials in the body are rejected, and the fix names PLATFORM_TOKEN_AUTH", async () => {
    resetEnv({ PLATFORM_TOKEN_AUTH: "body" });
    const { actor, id, outcome } = await connectElsewhere(CALLBACK, callback);
    expect(outcome).toBe("client_rejected");
    const fix = expect.stringContaining("PLATFORM_TOKEN_AUTH");
    expect(await readConnection(actor.workspaceId, id, new Date())).toMatchObject({ problem: { raw: "invalid_client", fix } });
  });
});

describe("a plain JSON provider with other paths", () => {
  beforeEach(() => {
    resetEnv({
      PLATFORM_AUTHORIZE_URL: `${address}/consent?tenant=7`,
      PLATFORM_TOKEN_ENDPOINT: `${address}/v2/token?key=9`,
      PLATFORM_REVOKE_URL: `${address}/v2/revoke`,
    });
  });

  test("authorization, token, refresh and revocation go to its addresses", async () => {
    const { actor, url, state, connectionId: id } = await beginAnew();
    expect(url.origin + url.pathname).toBe(`${address}/consent`);
    expect(url.searchParams.get("tenant")).toBe("7");
    await expect(comeBack(actor, { code: "a-code", state })).resolves.toMatchObject({ outcome: "connected" });
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
    await expect(disconnectConnection(contextOf(actor), id)).resolves.toMatchObject({ revocation: "revoked" });
    expect(platform.requests).toMatchObject([
      { path: "/v2/token?key=9", contentType: "application/json", fields: { code: "a-code", client_secret: "the-secret" } },
      { path: "/v2/token?key=9", contentType: "application/json", fields: { refresh_token: "rt", client_secret: "the-secret" } },
      { path: "/v2/revoke", fields: { token: "rt", client_secret: "the-secret" } },
    ]);
    expect(platform.authorizations).toEqual([null, null, null]);
  });

  test("Basic, commas, further parameters and an address of its own for refreshes are used where they are set", async () => {
    resetEnv({
      PLATFORM_TOKEN_AUTH: "basic",
      PLATFORM_CLIENT_SECRET: "a:b c",
      PLATFORM_SCOPES: "read,write",
      PLATFORM_SCOPE_SEPARATOR: "comma",
      PLATFORM_AUTHORIZE_PARAMS: "audience=https%3A%2F%2Fapi.example&prompt=consent",
      PLATFORM_REFRESH_URL: `${address}/v2/refresh`,
    });
    const { actor, url, state, connectionId: id } = await beginAnew();
    const { scope, audience, prompt } = Object.fromEntries(url.searchParams);
    expect([scope, audience, prompt]).toEqual(["read,write", "https://api.example", "consent"]);
    await comeBack(actor, { code: "a-code", state });
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
    expect(platform.requests.map(({ path }) => path)).toEqual(["/v2/token?key=9", "/v2/refresh"]);
    const basic = `Basic ${Buffer.from("the-client:a%3Ab+c").toString("base64")}`;
    expect(platform.authorizations).toEqual([basic, basic]);
    for (const { fields } of platform.requests) expect(Object.keys(fields)).not.toContain("client_secret");
  });

  test("without scopes none is asked for", async () => {
    resetEnv({ PLATFORM_SCOPES: "" });
    const { url } = await beginAnew();
    expect(url.searchParams.has("scope")).toBe(false);
  });

  test.each([
    ["invalid_client", { error: "invalid_client" }, "invalid_client; WWW-Authenticate: Basic"],
    ["no word", "no", "http_401; WWW-Authenticate: Basic"],
  ])("a 401 with %s that names Basic says so beside it, and that the secret may be wrong", async (_what, body, raw) => {
    platform.answer = () => ({ status: 401, body, headers: { "www-authenticate": 'Bearer realm="a", Basic realm="b"' } });
    const { actor, state, connectionId } = await beginAnew();
    await expect(comeBack(actor, { code: "a-code", state })).resolves.toMatchObject({ outcome: "client_rejected" });
    expect(await readConnection(actor.workspaceId, connectionId, new Date())).toMatchObject({
      problem: { raw, fix: expect.stringMatching(/^Check PLATFORM_CLIENT_ID and .* set PLATFORM_TOKEN_AUTH=basic\. Restart/) },
    });
  });

  test("an error that repeats the credentials of Basic is not kept", async () => {
    resetEnv({ PLATFORM_TOKEN_AUTH: "basic" });
    const echo = Buffer.from("the-client:the-secret").toString("base64");
    platform.answer = () => ({ status: 400, body: { error: `bad ${echo}` } });
    const { actor, state, connectionId } = await beginAnew();
    await comeBack(actor, { code: "a-code", state });
    expect((await readConnection(actor.workspaceId, connectionId, new Date()))?.problem?.raw).toBeNull();
  });
});

describe("metadata", () => {
  const metadata = () => ({
    issuer: address,
    authorization_endpoint: `${address}/a`,
    token_endpoint: `${address}/t`,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  });
  const asked = (path: string) => platform.requests.filter((request) => request.path === path).length;
  const WELL_KNOWN = "/.well-known/oauth-authorization-server";

  beforeEach(() => {
    resetEnv({ PLATFORM_ISSUER: address });
  });

  const answerWith = (body: unknown, status = 200) => {
    platform.answer = (request, count) => (request.path.startsWith("/.well-known/") ? { status, body } : good(request, count));
  };

  test("it is read once, and missing iss, PKCE and revocation are the server's to leave out", async () => {
    answerWith(metadata());
    const { actor, url, state, connectionId } = await beginAnew();
    expect([url.pathname, url.searchParams.has("code_challenge")]).toEqual(["/a", false]);
    await expect(comeBack(actor, { code: "a-code", state })).resolves.toMatchObject({ outcome: "connected" });
    expect(asked(WELL_KNOWN)).toBe(1);
    await expect(disconnectConnection(contextOf(actor), connectionId)).resolves.toMatchObject({ revocation: "not_offered" });
    expect(platform.requests.at(-1)).toMatchObject({ path: "/t", contentType: expect.stringContaining("urlencoded") });
  });

  test("another iss is refused all the same, and a missing one where the server promises it", async () => {
    answerWith({ ...metadata(), authorization_response_iss_parameter_supported: true });
    const actor = await signedIn();
    for (const iss of [{ iss: "https://evil.example" }, {}]) {
      const { state } = await begin(actor);
      await expect(comeBack(actor, { code: "a-code", state, ...iss })).resolves.toMatchObject({ outcome: "issuer_mismatch" });
    }
    expect(asked("/t")).toBe(0);
  });

  test("OpenID Connect's place is looked at where RFC 8414's has nothing", async () => {
    platform.answer = ({ path }) => (path === "/.well-known/openid-configuration" ? { body: metadata() } : { status: 404, body: "" });
    const { url } = await beginAnew();
    expect(url.pathname).toBe("/a");
  });

  test.each([
    ["a 404", () => ["", 404], /it answered 404\. Check PLATFORM_ISSUER, or set PLATFORM_AUTHORIZE_URL/],
    ["another issuer", () => [{ ...metadata(), issuer: "https://evil.example" }, 200], /it names another issuer/],
    ["something else", () => ["<html>", 200], /is not the metadata of an authorization server/],
    ["too much", () => [{ ...metadata(), more: "x".repeat(100_000) }, 200], /the answer is too large/],
    ["no address", () => [{ issuer: address }, 200], /names no usable token_endpoint/],
    ["an address of another kind", () => [{ ...metadata(), token_endpoint: "file:///etc/passwd" }, 200], /names no usable token_endpoint/],
  ] as [string, () => [unknown, number], RegExp][])("%s is said before a connection is made", async (_what, answer, words) => {
    answerWith(...answer());
    const actor = await signedIn();
    await expect(begin(actor)).rejects.toMatchObject({ code: "unavailable", message: expect.stringMatching(words) });
    // The failure is shared for a while: nobody asks again at once.
    const before = platform.requests.length;
    await expect(begin(actor)).rejects.toMatchObject({ code: "unavailable" });
    expect(platform.requests).toHaveLength(before);
  });

  test("a renewal that can't read it waits, and keeps its tokens", async () => {
    answerWith(metadata());
    const { actor, state, connectionId } = await beginAnew();
    await comeBack(actor, { code: "a-code", state });
    forget("platform-metadata");
    answerWith("", 503);
    await expect(refreshConnection(actor.workspaceId, connectionId)).resolves.toEqual({ outcome: "delayed", code: "platform_unreachable" });
    expect(await readConnection(actor.workspaceId, connectionId, new Date())).toMatchObject({
      state: "retrying",
      problem: { raw: "metadata_unreadable", what: "The platform's addresses could not be read." },
    });
  });

  test("it is kept for an hour, and longer while it can't be read again", async () => {
    answerWith(metadata());
    let elapsed = 0;
    const clock = { now: () => 0, elapsed: () => elapsed };
    const isFound = () => findPlatformServer(clock).then(({ tokenEndpoint }) => expect(tokenEndpoint).toBe(`${address}/t`));
    await isFound();
    elapsed = 3_599_000;
    await isFound();
    expect(asked(WELL_KNOWN)).toBe(1);
    answerWith("", 503);
    elapsed = 3_601_000;
    await Promise.all([isFound(), isFound()]);
    expect(asked(WELL_KNOWN)).toBe(2);
    answerWith({ ...metadata(), token_endpoint: `${address}/moved` });
    elapsed += 10_001;
    await expect(findPlatformServer(clock)).resolves.toMatchObject({ tokenEndpoint: `${address}/moved` });
  });

  test("over https it names no http address", async () => {
    const issuer = "https://id.example";
    resetEnv({ PLATFORM_ISSUER: issuer });
    const found = { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: "http://id.example/t" };
    once("platform-metadata", () => new Map([[issuer, { answer: Promise.resolve(found), until: Number.POSITIVE_INFINITY }]]));
    await expect(findPlatformServer()).rejects.toThrow("names no usable token_endpoint");
  });

  test("what is set wins over it", async () => {
    answerWith({ ...metadata(), revocation_endpoint: `${address}/r`, code_challenge_methods_supported: ["S256"] });
    await expect(findPlatformServer()).resolves.toMatchObject({ pkce: "S256", revocationUrl: `${address}/r`, tokenAuth: "body" });
    resetEnv({
      PLATFORM_TOKEN_ENDPOINT: `${address}/own`,
      PLATFORM_REVOKE_URL: `${address}/away`,
      PLATFORM_PKCE: "off",
      PLATFORM_TOKEN_BODY: "json",
      PLATFORM_TOKEN_AUTH: "basic",
    });
    const [authorizeUrl, own, revocationUrl] = ["a", "own", "away"].map((path) => `${address}/${path}`);
    const wins = { authorizeUrl, tokenEndpoint: own, refreshUrl: own, revocationUrl, pkce: "off", tokenBody: "json", tokenAuth: "basic" };
    await expect(findPlatformServer()).resolves.toMatchObject(wins);
  });
});
