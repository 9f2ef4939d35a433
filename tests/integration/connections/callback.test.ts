import { expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { readConnection } from "#lib/flows/connections/connections";
import { makeAccount } from "#tests/support/account";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin, comeBack, connect } from "#tests/support/platform-connection";

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

test("a refusal that comes back without its state still names its cause, and uses nothing up", async () => {
  const actor = await signedIn();
  const { connectionId, state } = await begin(actor);
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
  const actor = await signedIn();
  const { connectionId, state } = await begin(actor);
  await expect(comeBack(actor, { ...fields, state })).resolves.toEqual({ outcome: code, connectionId });
  const card = await readConnection(actor.workspaceId, connectionId, new Date());
  expect(card).toMatchObject({ state: "pending", problem: { code }, history: [{ kind: "connect_failed", code }] });
  expect(card?.problem?.why).toContain(why);
  expect(platform.requests).toHaveLength(0);
});

test("an exchange that fails ends on the card, and the next try is free", async () => {
  const code = "code_rejected";
  platform.answer = () => ({ status: 400, body: { error: "invalid_grant" } });
  const actor = await signedIn();
  const { connectionId, state } = await begin(actor);
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
