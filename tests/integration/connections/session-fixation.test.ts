import { describe, expect, test } from "vitest";
import { prisma } from "#lib/db/prisma";
import { makeAccount, openSession } from "#tests/support/account";
import { expectNothingLinked, useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin } from "#tests/support/platform-connection";
import { GET } from "../../../app/callback/route.ts";

const { platform } = useHostilePlatform();

/** The whole way in, as the attacker's victim would come: with a browser, through the route. */
async function arrive(state: string, cookie?: string): Promise<string | null> {
  const answer = await GET(
    new Request(`http://localhost:3000/callback?code=of-the-attacker&state=${state}`, { headers: cookie ? { cookie } : {} }),
  );
  return new URL(answer.headers.get("location") ?? "").searchParams.get("outcome");
}

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
      expect(await expectNothingLinked(platform, victim, () => arrive(state, victim.cookie))).toBe(outcome);
    }
    expect(await expectNothingLinked(platform, attacker, () => arrive(state))).toBe("wrong_browser");
    expect(await expectNothingLinked(platform, attacker, () => arrive(state, "signalbox.session=made-up"))).toBe("wrong_browser");
    // None of them has used the state up.
    expect(await arrive(state, attacker.cookie)).toBe("connected");
  });

  test("B has an attempt open: A's answer does not complete it", async () => {
    const [attacker, victim] = [await makeAccount(), await makeAccount()];
    const { state } = await begin(await actorOf(attacker));
    await begin(await actorOf(victim));
    expect(await expectNothingLinked(platform, victim, () => arrive(state, victim.cookie))).toBe("state_mismatch");
  });

  test("the same browser after sign-out, and after signing in again", async () => {
    const account = await makeAccount();
    const { state } = await begin(await actorOf(account));
    await prisma().session.delete({ where: { idHash: account.sessionHash } });
    expect(await expectNothingLinked(platform, account, () => arrive(state, account.cookie))).toBe("wrong_browser");
    const again = await openSession(account.workspaceId, account.userId);
    expect(await expectNothingLinked(platform, account, () => arrive(state, again.cookie))).toBe("wrong_browser");
  });

  test("someone whose role was taken away meanwhile", async () => {
    const account = await makeAccount();
    const { state } = await begin(await actorOf(account));
    await prisma().membership.update({
      where: { workspaceId_userId: { workspaceId: account.workspaceId, userId: account.userId } },
      data: { role: "viewer" },
    });
    const answer = await expectNothingLinked(platform, account, () =>
      GET(new Request(`http://localhost:3000/callback?code=c&state=${state}`, { headers: { cookie: account.cookie } })),
    );
    expect(answer.status).toBe(403);
    // A person in a browser is led to a page that says so.
    const headers = { cookie: account.cookie, accept: "text/html,*/*;q=0.8" };
    const shown = await GET(new Request(`http://localhost:3000/callback?code=c&state=${state}`, { headers }));
    expect([shown.status, shown.headers.get("location")]).toEqual([303, "http://localhost:3000/connections?outcome=not_allowed"]);
  });
});
