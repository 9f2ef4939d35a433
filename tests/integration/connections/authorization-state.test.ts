import { describe, expect, test } from "vitest";
import { prisma } from "#lib/db/prisma";
import { makeAccount, openSession } from "#tests/support/account";
import { expectNothingLinked, useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, arrive, begin, beginAnew, comeBack } from "#tests/support/platform-connection";

const { platform } = useHostilePlatform();

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
    const { account, state, connectionId } = await beginAnew();
    const answer = await expectNothingLinked(platform, account, () => arrive(queryOf(state), { cookie: account.cookie }));
    // The card that waits says so.
    expect(answer.headers.get("location")).toBe(`http://localhost:3000/connections/${connectionId}?outcome=${expected}`);
    // The attempt itself is still good: an attack can't use it up.
    await expect(comeBack(await actorOf(account), { code: "c", state })).resolves.toEqual({ outcome: "connected", connectionId });
  });

  test("a state that is older than ten minutes", async () => {
    const { account, actor, state } = await beginAnew();
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const late = await expectNothingLinked(platform, account, () => comeBack(actor, { code: "c", state }, at(10.02)));
    expect(late.outcome).toBe("state_expired");
    await expect(comeBack(actor, { code: "c", state }, at(9.9))).resolves.toMatchObject({ outcome: "connected" });
  });

  test("a state that was used, whether its first answer was good or bad", async () => {
    for (const first of [{ code: "c" }, { error: "access_denied" }]) {
      const { account, actor, state } = await beginAnew();
      await comeBack(actor, { ...first, state } as Record<string, string>);
      const again = await expectNothingLinked(platform, account, () => comeBack(actor, { code: "another", state }));
      expect(again.outcome).toBe("state_used");
    }
  });

  test("a state of another workspace of the same person", async () => {
    const { account, state } = await beginAnew();
    const elsewhere = await makeAccount({ userId: account.userId });
    const answer = await expectNothingLinked(platform, account, () => arrive(`code=c&state=${state}`, { cookie: elsewhere.cookie }));
    expect(outcomeOf(answer)).toBe("state_mismatch");
  });
});

test("one state with 50 callbacks at once asks the platform for tokens once", async () => {
  platform.answer = () => ({ body: { access_token: "at", refresh_token: "rt", expires_in: 600 }, delayMs: 100 });
  const { account, state } = await beginAnew();
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => arrive(`code=c${n}&state=${state}`, { cookie: account.cookie })));
  const outcomes = answers.map(outcomeOf).sort();
  expect(platform.requests.filter(({ path }) => path === "/oauth/token")).toHaveLength(1);
  expect(outcomes).toEqual(["connected", ...Array(49).fill("state_used")]);
});

/** The answer of whoever attacks, in the browser of the victim. */
const finish = async (state: string, cookie?: string) =>
  outcomeOf(await arrive({ code: "of-the-attacker", state }, cookie ? { cookie } : {}));

describe("whoever started an attempt must finish it, in the same session", () => {
  test("A starts, B's browser finishes: in the same workspace, in another, and without a session", async () => {
    const attacker = await makeAccount();
    const { state } = await begin(await actorOf(attacker));
    const colleague = await makeAccount({ workspaceId: attacker.workspaceId });
    const stranger = await makeAccount();
    for (const [victim, outcome] of [
      [colleague, "wrong_browser"],
      [stranger, "state_mismatch"],
    ] as const) {
      expect(await expectNothingLinked(platform, victim, () => finish(state, victim.cookie))).toBe(outcome);
    }
    expect(await expectNothingLinked(platform, attacker, () => finish(state))).toBe("wrong_browser");
    expect(await expectNothingLinked(platform, attacker, () => finish(state, "signalbox.session=made-up"))).toBe("wrong_browser");
    // None of them has used the state up.
    expect(await finish(state, attacker.cookie)).toBe("connected");
  });

  test("B has an attempt open: A's answer does not complete it", async () => {
    const [attacker, victim] = [await makeAccount(), await makeAccount()];
    const { state } = await begin(await actorOf(attacker));
    await begin(await actorOf(victim));
    expect(await expectNothingLinked(platform, victim, () => finish(state, victim.cookie))).toBe("state_mismatch");
  });

  test("the same browser after sign-out, and after signing in again", async () => {
    const { account, state } = await beginAnew();
    await prisma().session.delete({ where: { idHash: account.sessionHash } });
    expect(await expectNothingLinked(platform, account, () => finish(state, account.cookie))).toBe("wrong_browser");
    const again = await openSession(account.workspaceId, account.userId);
    expect(await expectNothingLinked(platform, account, () => finish(state, again.cookie))).toBe("wrong_browser");
  });

  test("someone whose role was taken away meanwhile", async () => {
    const { account, state } = await beginAnew();
    await prisma().membership.update({
      where: { workspaceId_userId: { workspaceId: account.workspaceId, userId: account.userId } },
      data: { role: "viewer" },
    });
    const { cookie } = account;
    const answer = await expectNothingLinked(platform, account, () => arrive({ code: "c", state }, { cookie }));
    expect(answer.status).toBe(403);
    // A person in a browser is led to a page that says so.
    const shown = await arrive({ code: "c", state }, { cookie, accept: "text/html,*/*;q=0.8" });
    expect([shown.status, shown.headers.get("location")]).toEqual([303, "http://localhost:3000/connections?outcome=not_allowed"]);
  });
});
