import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { findTokens } from "#lib/connections/tokens/grant-store";
import { openToken } from "#lib/connections/tokens/token-spool";
import { readConnection } from "#lib/flows/connections/connections";
import { refreshConnection } from "#lib/flows/connections/refresh-connection";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { connect } from "#tests/support/platform-connection";

// Answers of token endpoints as strangers met them.

const { platform } = useHostilePlatform();

const ROTATED = { access_token: "access-2", refresh_token: "refresh-2", expires_in: 600 };
const coded = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

// modelcontextprotocol/typescript-sdk#2408, epam/ai-dial-core#1496
it.each(["gzip", "deflate", "br"] as const)("a renewal answered with %s, unasked, keeps the rotated token", async (coding) => {
  const { actor, connectionId: id } = await connect();
  platform.answer = () => ({ body: coded[coding](JSON.stringify(ROTATED)), headers: { "content-encoding": coding } });
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
  const tokens = await findTokens(actor.workspaceId, id);
  await expect(openToken(actor.workspaceId, id, "refresh", tokens?.refreshSealed ?? "")).resolves.toBe("refresh-2");
  expect(platform.codings.at(-1)).toBe("identity");
});

it("an answer that unpacks to more than 64 KB is given up, and one that is not coded as it says is read as it is", async () => {
  const { actor, connectionId: id } = await connect();
  const other = await connect();
  platform.answer = () => ({ body: gzipSync(`{"note":"${"x".repeat(10_000_000)}"}`), headers: { "content-encoding": "gzip" } });
  expect((await refreshConnection(actor.workspaceId, id)).outcome).not.toBe("refreshed");
  platform.answer = () => ({ body: ROTATED, headers: { "content-encoding": "gzip" } });
  await expect(refreshConnection(other.actor.workspaceId, other.connectionId)).resolves.toEqual({ outcome: "refreshed" });
});

// deno-oauth2-client#25, octokit/auth-oauth-app.js#13
it("an error in an answer with status 200 is told with the platform's own code", async () => {
  const { actor, connectionId: id } = await connect();
  platform.answer = () => ({ body: { ok: false, error: "invalid_grant" } });
  expect((await refreshConnection(actor.workspaceId, id)).outcome).not.toBe("refreshed");
  expect(JSON.stringify(await readConnection(actor.workspaceId, id, new Date()))).toContain("invalid_grant");
});

// jetty/jetty.project#1878, nodejs/undici#197; RFC 9110 section 15.2
it("an answer after an unasked 100 Continue is the answer: the rotated token is kept", async () => {
  const { actor, connectionId: id } = await connect();
  platform.requests.length = 0;
  platform.answer = () => ({ body: ROTATED, interim: true });
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
  expect(platform.requests).toHaveLength(1);
});
