import { expect, it, onTestFinished, vi } from "vitest";
import { newAuthRequest } from "#lib/auth/sign-in/auth-request";
import { nextAuthOptions } from "#lib/auth/sign-in/next-auth-options";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { logger } from "#lib/observability/logger";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";

// Tried here: a new person's first single sign-on in two browsers. One was refused, with the database driver's stack in its address bar.

useDatabase({
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "client",
  OIDC_CLIENT_SECRET: "secret-of-the-client",
  OIDC_ALLOWED_DOMAINS: "example.com",
  OIDC_FIRST_ROLE: "viewer",
});

/** What the provider's answer leads to, as next-auth asks it. */
async function enter(email: string) {
  const turn = newAuthRequest(new Headers(), new Date());
  const { signIn } = nextAuthOptions(turn).callbacks ?? {};
  const user = { id: email, email };
  const account = { provider: "oidc", type: "oauth", providerAccountId: email } as const;
  return { answer: await signIn?.({ user, account, profile: { sub: email, email, email_verified: true } as object }), turn };
}

it("a new person who signs in with two browsers at once is in with both, as one member", async () => {
  await makeAccount();
  for (let n = 0; n < 5; n += 1) {
    const email = `new-${n}@example.com`;
    const both = await Promise.all([enter(email), enter(email)]);
    expect(both.map(({ answer }) => answer)).toEqual([true, true]);
    const { id } = await prisma().user.findUniqueOrThrow({ where: { email } });
    expect(both.map(({ turn }) => turn.userId)).toEqual([id, id]);
    expect(await prisma().membership.count({ where: { userId: id } })).toBe(1);
  }
});

it("what nobody expected goes to the log, and the address bar gets a code", async () => {
  await makeAccount();
  await pool().query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'secret detail' USING ERRCODE = '22000'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const logged = vi.spyOn(logger(), "error").mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  await expect(enter("other@example.com")).rejects.toThrow(/^internal$/);
  expect(JSON.stringify(logged.mock.calls[0]?.[0], (_, value) => (value instanceof Error ? value.message : value))).toContain(
    "secret detail",
  );
});
