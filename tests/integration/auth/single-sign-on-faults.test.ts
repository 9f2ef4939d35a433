import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { APP, ask, begin, comeBack, Jar } from "#tests/support/sso-browser";
import { startSsoProvider, type TokenFault } from "#tests/support/sso-provider";

// Sign-in through a provider that we did not write, without a browser.

vi.mock("next-auth", async (importOriginal) => (await import("#tests/support/plain-next-auth")).plainNextAuth(await importOriginal()));

const client = { id: "signalbox", secret: "the-client-secret-of-these-tests", appUrl: APP };
const provider = await startSsoProvider(client);
useDatabase({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_ALLOWED_DOMAINS: "example.com",
  OIDC_FIRST_ROLE: "viewer",
});
afterAll(() => provider.close());
beforeEach(async () => {
  provider.fault = null;
  provider.delayMs = 0;
  provider.person = { sub: "subject-of-nina", email: "nina@example.com", email_verified: true, name: "Nina" };
  await makeAccount();
});

const sessionOf = (jar: Jar) => jar.cookies.get("signalbox.session");

/** The answer leads to the sign-in page with this error, and no session is open. */
async function expectRefused(jar: Jar, answer: Response, error: string): Promise<void> {
  // next-auth goes by an address of its own.
  const between = new URL(answer.headers.get("location") ?? "", APP);
  const to = new URL((await ask(jar, between.href)).headers.get("location") ?? "", APP);
  expect([to.pathname, to.searchParams.get("error")]).toEqual(["/sign-in", error]);
  expect(sessionOf(jar) ?? "").toBe("");
}

test("a right answer opens a session, and one that was used before is refused", async () => {
  const jar = new Jar();
  const back = await comeBack(await begin(jar));
  const first = await ask(jar, back);
  expect(new URL(first.headers.get("location") ?? "", APP).pathname).toBe("/");
  expect(sessionOf(jar)).toMatch(/./);
  jar.cookies.delete("signalbox.session");
  await expectRefused(jar, await ask(jar, back), "SsoNotBegun");
});

test("a provider that takes four seconds to answer is waited for", { tags: ["deep"] }, async () => {
  const jar = new Jar();
  const back = await comeBack(await begin(jar));
  provider.delayMs = 4000;
  await ask(jar, back);
  expect(sessionOf(jar)).toMatch(/./);
});

const FAULTS: Record<TokenFault, string> = {
  "signed by another key": "SsoForged",
  "another nonce": "SsoForged",
  "another issuer": "SsoForged",
  "another audience": "SsoForged",
  expired: "SsoExpired",
  // Authentik without a signing key, and realms of Keycloak with another algorithm
  "signed with HS256": "SsoAlgorithm",
};

test.each(Object.entries(FAULTS))("an ID token with this fault is refused: %s", async (fault, error) => {
  const jar = new Jar();
  const back = await comeBack(await begin(jar));
  provider.fault = fault as TokenFault;
  await expectRefused(jar, await ask(jar, back), error);
});

test("a forged state is refused, and so is an answer to a sign-in that this browser never began", async () => {
  const forged = `/api/auth/callback/oidc?code=forged&state=${"x".repeat(43)}`;
  const jar = new Jar();
  await begin(jar);
  expect([...jar.cookies.keys()].filter((name) => /state|pkce|nonce/.test(name))).toHaveLength(3);
  await expectRefused(jar, await ask(jar, forged), "SsoForged");
  const stranger = new Jar();
  await expectRefused(stranger, await ask(stranger, forged), "SsoNotBegun");
});
