import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { readConnection } from "#lib/flows/connections/connections";
import { countTokens, readSessions, useHostilePlatform } from "#tests/support/hostile-platform";
import { beginAnew, comeBack } from "#tests/support/platform-connection";
import { ofEachKind } from "#tests/support/sample";
import type { TokenServer } from "#tests/support/token-server";

const { platform } = useHostilePlatform();

type Answer = Awaited<ReturnType<TokenServer["answer"]>>;
const GOOD = { access_token: "a", refresh_token: "r", token_type: "Bearer", expires_in: 600 };

const REFUSED: [string, Answer, ConnectionProblemCode][] = [
  ["204", { status: 204, body: "" }, "answer_malformed"],
  ["a redirect", { status: 302, body: GOOD, headers: { location: "http://127.0.0.1:1/" } }, "answer_malformed"],
  ["a redirect that keeps the method", { status: 307, body: GOOD, headers: { location: "http://127.0.0.1:1/" } }, "answer_malformed"],
  ["403 as HTML", { status: 403, body: "<html>no</html>", headers: { "content-type": "text/html" } }, "client_rejected"],
  ["404", { status: 404, body: "not found" }, "answer_malformed"],
  ["429", { status: 429, body: { error: "slow_down" }, headers: { "retry-after": "120" } }, "platform_error"],
  ["a success that says error", { body: { error: "invalid_grant" } }, "code_rejected"],
  ["an answer over 64 KB", { body: { ...GOOD, padding: "x".repeat(70_000) } }, "answer_malformed"],
  ["UTF-16", { body: Buffer.from(JSON.stringify(GOOD), "utf16le").toString("latin1") }, "answer_malformed"],
  ["gzip that nobody asked for", { body: gzipSync(JSON.stringify(GOOD)).toString("latin1") }, "answer_malformed"],
  ["a cut line", { body: "", ending: "cut" }, "platform_unreachable"],
  ["a line cut in the middle of the body", { body: GOOD, ending: "cut_midway" }, "platform_unreachable"],
];

describe("whatever the token address answers, the outcome is clear and nothing is half stored", () => {
  async function connectWith(answer: Answer) {
    platform.answer = () => answer;
    const { account, actor, state, connectionId } = await beginAnew();
    const before = [await countTokens(), await readSessions(account)];
    const { outcome } = await comeBack(actor, { code: "c", state });
    return { account, actor, connectionId, outcome, before };
  }

  const asked = (path: string) => platform.requests.filter((request) => request.path === path).length;

  async function expectClear(answer: Answer, code: ConnectionProblemCode): Promise<void> {
    const { account, actor, connectionId, outcome, before } = await connectWith(answer);
    expect(outcome).toBe(code);
    expect([await countTokens(), await readSessions(account)]).toEqual(before);
    expect(asked("/oauth/token"), "one request, no redirect followed").toBe(1);
    expect(asked("/revoke"), "at most one revocation").toBeLessThanOrEqual(1);
    expect(platform.requests.length, "and nothing else").toBe(asked("/oauth/token") + asked("/revoke"));
    const card = await readConnection(actor.workspaceId, connectionId, new Date());
    expect(card).toMatchObject({ state: "pending", problem: { code }, hasRefreshToken: false, accessExpiresAt: null, grantedScopes: [] });
    for (const words of [card?.problem?.what, card?.problem?.why, card?.problem?.fix]) expect(words).toMatch(/^[A-Z].{10,}\.$/);
  }

  test.each(ofEachKind(REFUSED, ([, , code]) => code))("%s", async (_what, answer, code) => {
    await expectClear(answer, code);
    platform.answer = () => ({ body: GOOD });
  });

  test("no answer within 10 seconds, before the head and in the middle of the body", { tags: ["deep"], timeout: 120_000 }, async () => {
    await expectClear({ body: GOOD, delayMs: 12_000 }, "platform_unreachable");
    platform.requests.length = 0;
    await expectClear({ body: GOOD, ending: "endless" }, "platform_unreachable");
  });

  test("a life that is not told is assumed, and the card says so", async () => {
    const { actor, connectionId, outcome } = await connectWith({ body: { ...GOOD, expires_in: [3600] } });
    expect(outcome).toBe("connected");
    const card = await readConnection(actor.workspaceId, connectionId, new Date());
    expect([card?.expiryKnown, await countTokens()]).toEqual([false, 1]);
    expect(Math.abs(Date.parse(card?.accessExpiresAt ?? "") - Date.now() - 600_000)).toBeLessThan(60_000);
  });
});
