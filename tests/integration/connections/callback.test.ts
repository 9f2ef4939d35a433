import { expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { readConnection } from "#lib/flows/connections/connections";
import { makeAccount, openSession } from "#tests/support/account";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin, comeBack, connect } from "#tests/support/platform-connection";
import { GET, HEAD } from "../../../app/callback/route.ts";

const { platform } = useHostilePlatform();
const goodAnswer = platform.answer;

const signedIn = async () => actorOf(await makeAccount());

test("connecting asks as the platform documents it, exchanges as JSON and seals the tokens", async () => {
  const actor = await signedIn();
  const { url, state, connectionId } = await begin(actor, { name: "Acme production" });
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
  const actor = await signedIn();
  const { state } = await begin(actor);
  await comeBack(actor, { code: "find-me-code", state });
  const { rows } = await pool().query(
    `SELECT (SELECT json_agg(t) FROM connection_tokens t)::text || (SELECT json_agg(c) FROM connections c)::text ||
            (SELECT json_agg(a) FROM authorization_attempts a)::text || (SELECT json_agg(h) FROM connection_history h)::text AS everything`,
  );
  expect(rows[0].everything).not.toContain("find-me");
  expect(rows[0].everything).not.toContain(state);
});

test("the form body and PKCE are used where they are configured", async () => {
  resetEnv({ PLATFORM_TOKEN_BODY: "form", PLATFORM_PKCE: "S256" });
  const actor = await signedIn();
  const { url, state } = await begin(actor);
  expect(url.searchParams.get("code_challenge_method")).toBe("S256");
  await expect(comeBack(actor, { code: "c", state })).resolves.toMatchObject({ outcome: "connected" });
  expect(platform.requests[0]?.contentType).toContain("application/x-www-form-urlencoded");
  const verifier = platform.requests[0]?.fields.code_verifier ?? "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  expect(Buffer.from(digest).toString("base64url")).toBe(url.searchParams.get("code_challenge"));
});

test("a state works once: of two answers at the same moment one is exchanged", async () => {
  const actor = await signedIn();
  const { state, connectionId } = await begin(actor);
  const outcomes = await Promise.all([1, 2, 3].map(() => comeBack(actor, { code: "c", state })));
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["connected", "state_used", "state_used"]);
  expect(platform.requests).toHaveLength(1);
  await expect(comeBack(actor, { code: "c", state })).resolves.toEqual({ outcome: "state_used", connectionId });
});

test("a made-up state exchanges nothing and leads to the card that waits", async () => {
  const actor = await signedIn();
  await expect(comeBack(actor, { code: "c", state: "made-up" })).resolves.toEqual({ outcome: "state_mismatch", connectionId: null });
  const { connectionId, state } = await begin(actor);
  await expect(comeBack(actor, { code: "c", state: "made-up" })).resolves.toEqual({ outcome: "state_mismatch", connectionId });
  await expect(comeBack(actor, { code: "c" })).resolves.toEqual({ outcome: "state_mismatch", connectionId });
  expect(platform.requests).toHaveLength(0);
  await expect(comeBack(actor, { code: "c", state })).resolves.toMatchObject({ outcome: "connected" });
});

test("a refusal that comes back without its state still names its cause, and uses nothing up", async () => {
  const actor = await signedIn();
  const { connectionId, state } = await begin(actor);
  await expect(comeBack(actor, { error: "access_denied" })).resolves.toEqual({ outcome: "access_denied", connectionId });
  await expect(comeBack(actor, { error: "access_denied", state: "made-up" })).resolves.toMatchObject({ outcome: "state_mismatch" });
  await expect(comeBack(actor, { code: "c", state })).resolves.toMatchObject({ outcome: "connected" });
});

test("another browser, another person and nobody are refused without using the state up", async () => {
  const account = await makeAccount();
  const actor = await actorOf(account);
  const { connectionId, state } = await begin(actor);
  const otherBrowser = await actorOf(await openSession(account.workspaceId, account.userId));
  const colleague = await actorOf(await makeAccount({ workspaceId: account.workspaceId }));
  const stranger = await signedIn();
  for (const other of [otherBrowser, colleague])
    await expect(comeBack(other, { code: "c", state })).resolves.toEqual({ outcome: "wrong_browser", connectionId });
  await expect(comeBack(null, { code: "c", state })).resolves.toEqual({ outcome: "wrong_browser", connectionId: null });
  await expect(comeBack(stranger, { code: "c", state })).resolves.toEqual({ outcome: "state_mismatch", connectionId: null });
  expect(platform.requests).toHaveLength(0);
  await expect(comeBack(actor, { code: "c", state })).resolves.toMatchObject({ outcome: "connected" });
});

test("an answer after ten minutes is too late", async () => {
  const actor = await signedIn();
  const { state } = await begin(actor);
  const late = new Date(Date.now() + 10 * 60_000 + 1000);
  await expect(comeBack(actor, { code: "c", state }, late)).resolves.toMatchObject({ outcome: "state_expired" });
  expect(platform.requests).toHaveLength(0);
});

test.each([
  [{ error: "access_denied" }, "access_denied", "User denied permissions or cancelled."],
  [{}, "code_missing", "User denied permissions or cancelled."],
  [{ error: "invalid_scope" }, "scope_rejected", "Requested permissions are not allowed."],
  [{ error: "unauthorized_client" }, "client_rejected", "Client ID or client secret is incorrect."],
  [{ error: "server_error" }, "platform_error", "It has a temporary problem"],
])("coming back with %j shows on the card as %s", async (fields, code, why) => {
  const actor = await signedIn();
  const { connectionId, state } = await begin(actor);
  await expect(comeBack(actor, { ...fields, state })).resolves.toEqual({ outcome: code, connectionId });
  const card = await readConnection(actor.workspaceId, connectionId, new Date());
  expect(card).toMatchObject({ state: "pending", problem: { code }, history: [{ kind: "connect_failed", code }] });
  expect(card?.problem?.why).toContain(why);
  expect(platform.requests).toHaveLength(0);
});

test.each([
  ["a wrong client secret", { status: 401, body: { error: "invalid_client" } }, "client_rejected"],
  ["a refusal without a word", { status: 400, body: "no" }, "client_rejected"],
  ["a code that is not taken", { status: 400, body: { error: "invalid_grant" } }, "code_rejected"],
  ["trouble on the platform", { status: 503, body: "" }, "platform_error"],
  ["a page instead of JSON", { body: "<html>" }, "answer_malformed"],
  ["JSON without a token", { body: { ok: true } }, "answer_malformed"],
  ["a redirect", { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } }, "answer_malformed"],
  ["an answer without end", { body: "x".repeat(100_000) }, "answer_malformed"],
])("%s in the exchange ends on the card, and the next try is free", async (_case, answer, code) => {
  platform.answer = () => answer;
  const actor = await signedIn();
  const { connectionId, state } = await begin(actor);
  await expect(comeBack(actor, { code: "c", state })).resolves.toEqual({ outcome: code, connectionId });
  expect((await readConnection(actor.workspaceId, connectionId, new Date()))?.problem?.code).toBe(code);
  platform.answer = goodAnswer;
  const again = await begin(actor, { connectionId });
  await expect(comeBack(actor, { code: "c", state: again.state })).resolves.toEqual({ outcome: "connected", connectionId });
  expect((await readConnection(actor.workspaceId, connectionId, new Date()))?.problem).toBeNull();
});

test("a platform that is not there is called unreachable", async () => {
  const actor = await signedIn();
  const { state } = await begin(actor);
  resetEnv({ PLATFORM_TOKEN_URL: "http://127.0.0.1:1" });
  await expect(comeBack(actor, { code: "c", state })).resolves.toMatchObject({ outcome: "platform_unreachable" });
});

test("an answer of another issuer is refused before anything is exchanged", async () => {
  resetEnv({ PLATFORM_ISSUER: "https://platform.example" });
  const actor = await signedIn();
  const refused = await begin(actor);
  await expect(comeBack(actor, { code: "c", state: refused.state, iss: "https://evil.example" })).resolves.toMatchObject({
    outcome: "issuer_mismatch",
  });
  expect(platform.requests).toHaveLength(0);
  const good = await begin(actor);
  await expect(comeBack(actor, { code: "c", state: good.state, iss: "https://platform.example" })).resolves.toMatchObject({
    outcome: "connected",
  });
});

test("a failed try to reconnect leaves a good connection as it is", async () => {
  const { actor, connectionId } = await connect();
  const { state } = await begin(actor, { connectionId });
  await comeBack(actor, { error: "access_denied", state });
  expect(await readConnection(actor.workspaceId, connectionId, new Date())).toMatchObject({ state: "connected", problem: null });
});

test("a vault without its key refuses to connect instead of storing plain tokens", async () => {
  const actor = await signedIn();
  const { state, connectionId } = await begin(actor);
  resetEnv({ VAULT_KEYS: "" });
  await expect(comeBack(actor, { code: "c", state })).resolves.toMatchObject({ outcome: "vault_key_lost" });
  expect(await prisma().connectionTokens.count({ where: { connectionId } })).toBe(0);
});

test("the redirect target leads on to an address without the code, and HEAD uses nothing up", async () => {
  const account = await makeAccount();
  const { connectionId, state } = await begin(await actorOf(account));
  expect(HEAD().status).toBe(204);
  const ask = () => GET(new Request(`http://localhost:3000/callback?code=c&state=${state}`, { headers: { cookie: account.cookie } }));
  const answer = await ask();
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe(`http://localhost:3000/connections/${connectionId}?outcome=connected`);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect((await ask()).headers.get("location")).toContain("outcome=state_used");
});
