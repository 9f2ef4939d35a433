import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { resetEnv } from "#lib/config/env";
import { findTokens } from "#lib/connections/tokens/grant-store";
import { openToken } from "#lib/connections/tokens/token-spool";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import type { TestAccount } from "./account.ts";
import { useDatabase } from "./database.ts";
import { TokenServer } from "./token-server.ts";

const SETTINGS = {
  PLATFORM_CLIENT_ID: "the-client",
  PLATFORM_CLIENT_SECRET: "the-secret",
  PLATFORM_SCOPES: "documents:read tasks:read",
  PLATFORM_TOKEN_BODY: "json",
  PLATFORM_PKCE: "off",
  PLATFORM_ISSUER: "",
};

/**
 * A database and a platform whose token address answers what the test says.
 * Every test begins with a platform that behaves and has been asked nothing.
 */
export function useHostilePlatform(): { platform: TokenServer; url: () => string } {
  const { url } = useDatabase();
  const platform = new TokenServer();
  const good = platform.answer;
  let address = "";
  beforeAll(async () => {
    address = await platform.listen();
  });
  beforeEach(() => {
    resetEnv({ ...SETTINGS, PLATFORM_AUTH_URL: address, PLATFORM_TOKEN_URL: address, PLATFORM_REVOKE_URL: `${address}/revoke` });
    platform.answer = good;
    platform.requests.length = 0;
  });
  afterAll(() => platform.close());
  return { platform, url };
}

/** Returns how many tokens are stored, whosever they are. */
export async function countTokens(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM connection_tokens");
  return rows[0]?.n ?? 0;
}

/** Returns the tokens of a connection as the platform gave them. */
export async function storedTokens(workspaceId: WorkspaceId, id: ConnectionId) {
  const tokens = await findTokens(workspaceId, id);
  return {
    access: tokens && (await openToken(workspaceId, id, "access", tokens.accessSealed)),
    refresh: tokens?.refreshSealed && (await openToken(workspaceId, id, "refresh", tokens.refreshSealed)),
  };
}

/** As if the time for a connection's renewal had come. */
export const makeDue = (id: ConnectionId) =>
  pool().query("UPDATE connections SET next_refresh_at = now() - interval '1 second' WHERE id = $1", [id]);

/** Returns what the account's browser sessions are; to compare. */
export async function readSessions({ userId }: Pick<TestAccount, "userId">): Promise<unknown[]> {
  const { rows } = await pool().query(
    "SELECT id_hash, user_id, workspace_id, expires_at FROM sessions WHERE user_id = $1 ORDER BY id_hash",
    [userId],
  );
  return rows;
}

/**
 * Runs what must not link anything and sees that it didn't: no token stored,
 * no call to the platform, the account's sessions unchanged.
 */
export async function expectNothingLinked<T>(platform: TokenServer, account: TestAccount, attack: () => Promise<T>): Promise<T> {
  const [tokens, sessions, asked] = [await countTokens(), await readSessions(account), platform.requests.length];
  const result = await attack();
  expect(await countTokens(), "tokens stored").toBe(tokens);
  expect(await readSessions(account), "sessions").toEqual(sessions);
  expect(platform.requests.length, "calls to the platform").toBe(asked);
  return result;
}
