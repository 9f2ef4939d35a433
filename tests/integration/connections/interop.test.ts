import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { disconnectConnection, readConnection } from "#lib/flows/connections/connections";
import { refreshConnection } from "#lib/flows/connections/refresh-connection";
import { refreshTokens } from "#lib/platform/oauth";
import { systemClock } from "#lib/time/clock";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { connectElsewhere, type ForeignServer, startForeignServer } from "#tests/support/foreign-server";
import { storedTokens } from "#tests/support/hostile-platform";
import { GET as callback } from "../../../app/callback/route.ts";

useDatabase();

const CALLBACK = "http://localhost:3000/callback";
const SCOPES = ["documents:read", "tasks:read"];
let foreign: ForeignServer;

beforeAll(async () => {
  // It warns of its in-memory store and of http, which a test has on purpose.
  for (const method of ["info", "warn"] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
  foreign = await startForeignServer(CALLBACK, SCOPES);
  resetEnv({
    PLATFORM_AUTH_URL: foreign.issuer,
    PLATFORM_TOKEN_URL: foreign.issuer,
    PLATFORM_REVOKE_URL: `${foreign.issuer}/oauth/revoke`,
    PLATFORM_ISSUER: foreign.issuer,
    PLATFORM_CLIENT_ID: foreign.client.id,
    PLATFORM_CLIENT_SECRET: foreign.client.secret,
    PLATFORM_SCOPES: SCOPES.join(" "),
    PLATFORM_TOKEN_BODY: "form",
    PLATFORM_PKCE: "S256",
  });
});
beforeEach(() => {
  foreign.events.length = 0;
});
afterAll(() => foreign.close());

const connectThere = () => connectElsewhere(CALLBACK, callback);

describe("with an authorization server that we did not write (form, PKCE S256, iss)", () => {
  test("connect, refresh with rotation, revoke", async () => {
    const { actor, id, back, answer } = await connectThere();
    expect(back.searchParams.get("iss")).toBe(foreign.issuer);
    expect(answer.headers.get("location")).toBe(`http://localhost:3000/connections/${id}?outcome=connected`);
    expect(await readConnection(actor.workspaceId, id, new Date())).toMatchObject({
      state: "connected",
      grantedScopes: SCOPES,
      expiryKnown: true,
      hasRefreshToken: true,
    });

    const { refresh: first } = await storedTokens(actor.workspaceId, id);
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
    const { refresh: second } = await storedTokens(actor.workspaceId, id);
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
    const { refresh: third } = await storedTokens(actor.workspaceId, id);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(foreign.events.filter((name) => name === "refresh_token.consumed")).toHaveLength(2);

    await expect(disconnectConnection(contextOf(actor), id)).resolves.toEqual({
      outcome: "disconnected",
      erased: true,
      revocation: "revoked",
    });
    expect(foreign.events).toContain("grant.revoked");
    const rejected = { outcome: "failed", code: "code_rejected", raw: "invalid_grant" };
    await expect(refreshTokens(third ?? "", systemClock)).resolves.toMatchObject(rejected);
  });

  test("a refresh token that was used before ends the grant there, and the card asks for a new permission", async () => {
    const { actor, id } = await connectThere();
    const { refresh: first } = await storedTokens(actor.workspaceId, id);
    await refreshConnection(actor.workspaceId, id);
    await expect(refreshTokens(first ?? "", systemClock)).resolves.toMatchObject({ code: "code_rejected" });
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "lost", code: "token_expired" });
    expect(await readConnection(actor.workspaceId, id, new Date())).toMatchObject({
      state: "needs_reauthorization",
      problem: { code: "token_expired", raw: "invalid_grant" },
    });
  });

  test("a permission that it does not know is left out: granted is told apart from required", async () => {
    resetEnv({ PLATFORM_SCOPES: "documents:read everything:write" });
    const { actor, id } = await connectThere();
    const card = await readConnection(actor.workspaceId, id, new Date());
    expect(card).toMatchObject({
      state: "connected",
      requiredScopes: ["documents:read", "everything:write"],
      grantedScopes: ["documents:read"],
    });
  });
});
