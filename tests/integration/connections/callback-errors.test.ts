import { describe, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { makeAccount } from "#tests/support/account";
import { expectNothingLinked, useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin, comeBack } from "#tests/support/platform-connection";
import { ofEachKind } from "#tests/support/sample";
import { GET, HEAD } from "../../../app/callback/route.ts";

const { platform } = useHostilePlatform();
const ISSUER = "https://platform.example";

const callback = (query: string, headers: Record<string, string>) =>
  GET(new Request(`http://localhost:3000/callback?${query}`, { headers }));

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
    const account = await makeAccount();
    const { state, connectionId } = await begin(await actorOf(account));
    const answer = await expectNothingLinked(platform, account, () => callback(queryOf(state), { cookie: account.cookie }));
    expect(answer.headers.get("location")).toBe(`http://localhost:3000/connections/${connectionId}?outcome=${outcome}`);
  });

  test("HEAD and prefetches consume nothing: the person who follows is let through", async () => {
    const account = await makeAccount();
    const { state } = await begin(await actorOf(account));
    const ahead: Record<string, string>[] = [
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { purpose: "prefetch" },
      { "x-moz": "prefetch" },
    ];
    await expectNothingLinked(platform, account, async () => {
      expect(HEAD().status).toBe(204);
      for (const headers of ahead) {
        const answer = await callback(`code=c&state=${state}`, { ...headers, cookie: account.cookie });
        expect([answer.status, answer.headers.get("cache-control")]).toEqual([204, "no-store"]);
      }
    });
    await expect(comeBack(await actorOf(account), { code: "c", state })).resolves.toMatchObject({ outcome: "connected" });
  });
});
