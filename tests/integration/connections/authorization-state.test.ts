import { describe, expect, test } from "vitest";
import { makeAccount } from "#tests/support/account";
import { expectNothingLinked, useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin, comeBack } from "#tests/support/platform-connection";
import { GET } from "../../../app/callback/route.ts";

const { platform } = useHostilePlatform();

const callback = (query: string, cookie: string) => GET(new Request(`http://localhost:3000/callback?${query}`, { headers: { cookie } }));
const outcomeOf = (answer: Response) => new URL(answer.headers.get("location") ?? "").searchParams.get("outcome");

describe("a state that is not the one of this attempt links nothing", () => {
  const WRONG: [string, (state: string) => string, string][] = [
    ["missing", () => "code=c", "state_mismatch"],
    ["empty", () => "code=c&state=", "state_mismatch"],
    ["wrong", () => `code=c&state=${"A".repeat(43)}`, "state_mismatch"],
    ["in capitals", (state) => `code=c&state=${state.toUpperCase()}`, "state_mismatch"],
    ["cut by one", (state) => `code=c&state=${state.slice(0, -1)}`, "state_mismatch"],
    ["with one more", (state) => `code=c&state=${state}A`, "state_mismatch"],
    ["with a space behind", (state) => `code=c&state=${state}%20`, "state_mismatch"],
    ["with a zero byte behind", (state) => `code=c&state=${state}%00`, "state_mismatch"],
    ["repeated", (state) => `code=c&state=${state}&state=${state}`, "state_mismatch"],
    ["beside a wrong one", (state) => `code=c&state=${state}&state=wrong`, "state_mismatch"],
    ["behind a wrong one", (state) => `code=c&state=wrong&state=${state}`, "state_mismatch"],
    ["as an array's name", (state) => `code=c&state[]=${state}`, "state_mismatch"],
    ["oversized", () => `code=c&state=${"s".repeat(100_000)}`, "state_mismatch"],
    ["not UTF-8", () => "code=c&state=%ff%fe", "state_mismatch"],
    ["SQL", () => `code=c&state=${encodeURIComponent("' OR '1'='1")}`, "state_mismatch"],
  ];

  test.each(WRONG)("a state that is %s", async (_how, queryOf, expected) => {
    const account = await makeAccount();
    const { state, connectionId } = await begin(await actorOf(account));
    const answer = await expectNothingLinked(platform, account, () => callback(queryOf(state), account.cookie));
    // The card that waits says so.
    expect(answer.headers.get("location")).toBe(`http://localhost:3000/connections/${connectionId}?outcome=${expected}`);
    // The attempt itself is still good: an attack can't use it up.
    await expect(comeBack(await actorOf(account), { code: "c", state })).resolves.toEqual({ outcome: "connected", connectionId });
  });

  test("a state that is older than ten minutes", async () => {
    const account = await makeAccount();
    const actor = await actorOf(account);
    const { state } = await begin(actor);
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const late = await expectNothingLinked(platform, account, () => comeBack(actor, { code: "c", state }, at(10.02)));
    expect(late.outcome).toBe("state_expired");
    await expect(comeBack(actor, { code: "c", state }, at(9.9))).resolves.toMatchObject({ outcome: "connected" });
  });

  test("a state that was used, whether its first answer was good or bad", async () => {
    for (const first of [{ code: "c" }, { error: "access_denied" }]) {
      const account = await makeAccount();
      const actor = await actorOf(account);
      const { state } = await begin(actor);
      await comeBack(actor, { ...first, state } as Record<string, string>);
      const again = await expectNothingLinked(platform, account, () => comeBack(actor, { code: "another", state }));
      expect(again.outcome).toBe("state_used");
    }
  });

  test("a state of another workspace of the same person", async () => {
    const account = await makeAccount();
    const { state } = await begin(await actorOf(account));
    const elsewhere = await makeAccount({ userId: account.userId });
    const answer = await expectNothingLinked(platform, account, () => callback(`code=c&state=${state}`, elsewhere.cookie));
    expect(outcomeOf(answer)).toBe("state_mismatch");
  });
});

test("one state with 50 callbacks at once asks the platform for tokens once", async () => {
  platform.answer = () => ({ body: { access_token: "at", refresh_token: "rt", expires_in: 600 }, delayMs: 100 });
  const account = await makeAccount();
  const { state } = await begin(await actorOf(account));
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => callback(`code=c${n}&state=${state}`, account.cookie)));
  const outcomes = answers.map(outcomeOf).sort();
  expect(platform.requests.filter(({ path }) => path === "/oauth/token")).toHaveLength(1);
  expect(outcomes).toEqual(["connected", ...Array(49).fill("state_used")]);
});
