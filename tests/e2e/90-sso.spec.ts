import { expect, type Page, test } from "@playwright/test";
import { baseUrl } from "./support/installation.ts";
import { callApi } from "./support/session.ts";
import { type SsoPerson, type SsoProvider, startSsoProvider, type TokenFault } from "./support/sso-provider.ts";

let provider: SsoProvider;

test.beforeAll(async () => {
  provider = await startSsoProvider();
});
test.afterAll(() => provider.close());
test.beforeEach(() => {
  provider.fault = null;
});

const NEWCOMER: SsoPerson = { sub: "subject-of-nina", email: "nina@example.com", email_verified: true, name: "Nina" };

/** Presses the button, as the person who is to sign in at the provider. */
async function goThere(page: Page, person: SsoPerson): Promise<void> {
  provider.person = person;
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with single sign-on" }).click();
}

async function expectRefused(page: Page, words: RegExp): Promise<void> {
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();
  const session = await page.request.get("/api/v1/session");
  expect(session.status()).toBe(401);
}

test("somebody new of an allowed domain becomes a viewer; PKCE, state and nonce are asked with", async ({ page }) => {
  await goThere(page, NEWCOMER);
  await expect(page).toHaveURL(`${baseUrl()}/`);
  const { user, role } = await (await page.request.get("/api/v1/session")).json();
  expect({ email: user.email, name: user.name, role }).toEqual({ email: "nina@example.com", name: "Nina", role: "viewer" });
  expect(provider.asked.get("code_challenge_method")).toBe("S256");
  for (const name of ["code_challenge", "state", "nonce"]) expect(provider.asked.get(name)?.length).toBeGreaterThan(30);
  expect(provider.asked.get("redirect_uri")).toBe(`${baseUrl()}/api/auth/callback/oidc`);
});

test("the same person is known by the subject when the address has changed", async ({ page }) => {
  await goThere(page, { ...NEWCOMER, email: "nina.married@example.com" });
  await expect(page).toHaveURL(`${baseUrl()}/`);
  expect((await (await page.request.get("/api/v1/session")).json()).user.email).toBe("nina@example.com");
});

const MEMBER = "has-a-password@example.com";

test("an account that has a password is found by its verified address, keeps its role, and is told that the password ended", async ({
  page,
}) => {
  const { url } = await callApi<{ url: string }>("/api/v1/invitations", { role: "developer" });
  const account = { email: MEMBER, password: "tram-violet-7-lake" };
  const body = JSON.stringify({ token: new URL(url).searchParams.get("token"), account });
  const headers = { "content-type": "application/json", origin: baseUrl() };
  expect((await fetch(`${baseUrl()}/api/join`, { method: "POST", headers, body })).status).toBe(204);
  await goThere(page, { sub: "subject-of-the-member", email: MEMBER, email_verified: true, name: "Member" });
  await expect(page).toHaveURL(`${baseUrl()}/settings/account?password=ended`);
  await expect(page.getByText("Your password was removed")).toBeVisible();
  expect((await (await page.request.get("/api/v1/session")).json()).role).toBe("developer");
});

test("another subject that comes under the same address is refused: addresses change hands", async ({ page }) => {
  await goThere(page, { sub: "subject-of-a-successor", email: MEMBER, email_verified: true, name: "Successor" });
  await expectRefused(page, /Another account at the provider signed in here with this e-mail address before/);
});

test("an address that is not verified, or of another domain, is refused", async ({ page, context }) => {
  await goThere(page, { ...NEWCOMER, sub: "unverified", email: "eve@example.com", email_verified: false });
  await expectRefused(page, /hasn't verified your e-mail address/);
  await context.clearCookies();
  await goThere(page, { ...NEWCOMER, sub: "elsewhere", email: "eve@evil.example" });
  await expectRefused(page, /addresses of this domain can't sign in/);
});

test("a forged state is refused, and so is an answer to a sign-in that this browser never began", async ({ page, context }) => {
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  await page.request.post("/api/auth/signin/oidc", { form: { csrfToken, json: "true", callbackUrl: baseUrl() } });
  expect((await context.cookies()).filter(({ name }) => /state|pkce|nonce/.test(name))).toHaveLength(3);
  await page.goto(`/api/auth/callback/oidc?code=forged&state=${"x".repeat(43)}`);
  await expectRefused(page, /doesn't match this browser's request/);
  await context.clearCookies();
  await page.goto(`/api/auth/callback/oidc?code=forged&state=${"x".repeat(43)}`);
  await expectRefused(page, /doesn't belong to a sign-in in this browser/);
});

const FAULTS: Record<TokenFault, RegExp> = {
  "signed by another key": /doesn't match this browser's request/,
  "another nonce": /doesn't match this browser's request/,
  "another issuer": /doesn't match this browser's request/,
  "another audience": /doesn't match this browser's request/,
  expired: /has expired/,
};

for (const [fault, words] of Object.entries(FAULTS))
  test(`an ID token with this fault is refused: ${fault}`, async ({ page }) => {
    provider.fault = fault as TokenFault;
    await goThere(page, NEWCOMER);
    await expectRefused(page, words);
  });

test("an answer that was used before is refused", async ({ page, context }) => {
  let answer = "";
  page.on("request", (request) => {
    if (request.url().includes("/api/auth/callback/oidc?")) answer = request.url();
  });
  await goThere(page, NEWCOMER);
  await expect(page).toHaveURL(`${baseUrl()}/`);
  expect(answer).toContain("code=");
  // A page that loses its session goes to the sign-in page by itself: away from it first.
  await page.goto("about:blank");
  await context.clearCookies();
  await page.goto(answer);
  await expectRefused(page, /it was already used, or it arrived more than 15 minutes late/);
});
