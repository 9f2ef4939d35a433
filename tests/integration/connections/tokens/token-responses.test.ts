import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { pool } from "#lib/db/pool";
import { readConnection } from "#lib/flows/connections/connections";
import { makeAccount } from "#tests/support/account";
import { countTokens, readSessions, useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin, comeBack } from "#tests/support/platform-connection";
import { ofEachKind } from "#tests/support/sample";
import type { TokenServer } from "#tests/support/token-server";

const { platform } = useHostilePlatform();

type Answer = Awaited<ReturnType<TokenServer["answer"]>>;
const GOOD = { access_token: "a", refresh_token: "r", token_type: "Bearer", expires_in: 600 };

const REFUSED: [string, Answer, ConnectionProblemCode][] = [
  ["201 without a body", { status: 201, body: "" }, "answer_malformed"],
  ["204", { status: 204, body: "" }, "answer_malformed"],
  ["300", { status: 300, body: GOOD }, "answer_malformed"],
  ["a redirect", { status: 302, body: GOOD, headers: { location: "http://127.0.0.1:1/" } }, "answer_malformed"],
  ["a redirect that keeps the method", { status: 307, body: GOOD, headers: { location: "http://127.0.0.1:1/" } }, "answer_malformed"],
  ["400 with a code that nobody knows", { status: 400, body: { error: "teapot" } }, "platform_error"],
  ["400 with an error that is no text", { status: 400, body: { error: { message: "no" } } }, "client_rejected"],
  ["400 with good tokens", { status: 400, body: GOOD }, "client_rejected"],
  ["403 as HTML", { status: 403, body: "<html>no</html>", headers: { "content-type": "text/html" } }, "client_rejected"],
  ["404", { status: 404, body: "not found" }, "answer_malformed"],
  ["408", { status: 408, body: "" }, "platform_error"],
  ["429", { status: 429, body: { error: "slow_down" }, headers: { "retry-after": "120" } }, "platform_error"],
  ["500 with a stack", { status: 500, body: "Error: at /srv/app.js:1" }, "platform_error"],
  ["a number", { body: "42" }, "answer_malformed"],
  ["half an object", { body: '{"access_token":"a"' }, "answer_malformed"],
  ["two objects", { body: '{"access_token":"a"}{"access_token":"b"}' }, "answer_malformed"],
  ["a form", { body: "access_token=a&token_type=bearer" }, "answer_malformed"],
  ["no access token", { body: { refresh_token: "r", expires_in: 600 } }, "answer_malformed"],
  ["an access token that is null", { body: { ...GOOD, access_token: null } }, "answer_malformed"],
  ["an access token that is an object", { body: { ...GOOD, access_token: { value: "a" } } }, "answer_malformed"],
  ["an access token of 20,000 characters", { body: { ...GOOD, access_token: "a".repeat(20_000) } }, "answer_malformed"],
  ["a token of an unknown type", { body: { ...GOOD, token_type: "mac" } }, "answer_malformed"],
  ["a DPoP token", { body: { ...GOOD, token_type: "DPoP" } }, "answer_malformed"],
  ["a success that says error", { body: { error: "invalid_grant" } }, "code_rejected"],
  ["an answer over 64 KB", { body: { ...GOOD, padding: "x".repeat(70_000) } }, "answer_malformed"],
  ["UTF-16", { body: Buffer.from(JSON.stringify(GOOD), "utf16le").toString("latin1") }, "answer_malformed"],
  ["something deep", { body: `${"[".repeat(30_000)}${"]".repeat(30_000)}` }, "answer_malformed"],
  ["gzip that nobody asked for", { body: gzipSync(JSON.stringify(GOOD)).toString("latin1") }, "answer_malformed"],
  ["a cut line", { body: "", ending: "cut" }, "platform_unreachable"],
  ["a line cut in the middle of the body", { body: GOOD, ending: "cut_midway" }, "platform_unreachable"],
];

/** Responses that are accepted all the same; the lifetime is known or assumed, and marked so. */
const TAKEN: [string, unknown, { life: number; known: boolean }][] = [
  ["no expires_in", undefined, { life: 600, known: false }],
  ["a list", [3600], { life: 600, known: false }],
  ["yes", true, { life: 600, known: false }],
  ["a number as text", "3600", { life: 3600, known: true }],
  ["half seconds", 90.5, { life: 90.5, known: true }],
  ["a hundred thousand years", 3.2e12, { life: 315_360_000, known: true }],
];

describe("whatever the token address answers, the outcome is clear and nothing is half stored", () => {
  async function connectWith(answer: Answer) {
    platform.answer = () => answer;
    const account = await makeAccount();
    const actor = await actorOf(account);
    const { state, connectionId } = await begin(actor);
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

  test.each(ofEachKind(TAKEN, ([, , { known }]) => known))("a life of %s", async (_what, expiresIn, { life, known }) => {
    const since = Date.now();
    const { actor, connectionId, outcome } = await connectWith({ body: { ...GOOD, expires_in: expiresIn } });
    expect(outcome).toBe("connected");
    const card = await readConnection(actor.workspaceId, connectionId, new Date());
    expect(card?.expiryKnown).toBe(known);
    const left = (Date.parse(card?.accessExpiresAt ?? "") - since) / 1000;
    expect(left).toBeGreaterThanOrEqual(life - 1);
    expect(left).toBeLessThan(life + 10);
    const { rows } = await pool().query("SELECT count(*) AS n FROM connection_tokens WHERE connection_id = $1", [connectionId]);
    expect(rows).toEqual([{ n: 1 }]);
  });
});
