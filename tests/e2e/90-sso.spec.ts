import { expect, type Page, test } from "@playwright/test";
import { type SsoPerson, type SsoProvider, startSsoProvider } from "#tests/support/sso-provider";
import { baseUrl, INSTALLATION, ssoPort } from "./support/installation.ts";
import { ageSession, endSession, queryInstallation } from "./support/installation-database.ts";
import { AGAIN_IF_RESET, callApi } from "./support/session.ts";
import { holdBack } from "./support/watched-page.ts";

let provider: SsoProvider;

test.beforeAll(async () => {
  provider = await startSsoProvider({ ...INSTALLATION.ssoClient, appUrl: baseUrl() }, ssoPort());
});
test.afterAll(() => provider.close());

const NEWCOMER: SsoPerson = { sub: "subject-of-nina", email: "nina@example.com", email_verified: true, name: "Nina" };

/** Presses the button, as the person who is to sign in at the provider. */
async function goThere(page: Page, person: SsoPerson): Promise<void> {
  provider.person = person;
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with single sign-on" }).click();
}

test("somebody new of an allowed domain becomes a viewer; PKCE, state and nonce are asked with", async ({ page }) => {
  await goThere(page, NEWCOMER);
  await expect(page).toHaveURL(`${baseUrl()}/`);
  const { user, role } = await (await page.request.get("/api/v1/session", AGAIN_IF_RESET)).json();
  expect({ email: user.email, name: user.name, role }).toEqual({ email: "nina@example.com", name: "Nina", role: "viewer" });
  expect(provider.asked.get("code_challenge_method")).toBe("S256");
  for (const name of ["code_challenge", "state", "nonce"]) expect(provider.asked.get(name)?.length).toBeGreaterThan(30);
  expect(provider.asked.get("redirect_uri")).toBe(`${baseUrl()}/api/auth/callback/oidc`);
});

const MEMBER = "has-a-password@example.com";

test("an account that has a password is found by its verified address, keeps its role, and is told that the password ended", {
  tag: "@deep",
}, async ({ page }) => {
  const { url } = await callApi<{ url: string }>("/api/v1/invitations", { role: "developer" });
  const account = { email: MEMBER, password: "tram-violet-7-lake" };
  const body = JSON.stringify({ token: new URL(url).searchParams.get("token"), account });
  const headers = { "content-type": "application/json", origin: baseUrl() };
  expect((await fetch(`${baseUrl()}/api/join`, { method: "POST", headers, body })).status).toBe(204);
  await goThere(page, { sub: "subject-of-the-member", email: MEMBER, email_verified: true, name: "Member" });
  await expect(page).toHaveURL(`${baseUrl()}/settings/account?password=ended`);
  await expect(page.getByText("Your password was removed")).toBeVisible();
  expect((await (await page.request.get("/api/v1/session", AGAIN_IF_RESET)).json()).role).toBe("developer");
});

test("a session older than 15 minutes goes to the provider again before it creates an API key, and comes back though it ends on the way", {
  tag: "@deep",
}, async ({ page }) => {
  await goThere(page, { sub: "subject-of-the-member", email: MEMBER, email_verified: true, name: "Member" });
  await expect(page).toHaveURL(`${baseUrl()}/`);
  const setRole = (role: string) =>
    queryInstallation("UPDATE memberships SET role = $2 WHERE user_id = (SELECT id FROM users WHERE email = $1)", [MEMBER, role]);
  await setRole("admin");
  await page.goto("/settings/keys");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await ageSession(page);
  const create = async () => {
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByLabel("Name").fill("made after single sign-on");
    await page.getByRole("button", { name: "Create key" }).click();
  };
  await create();
  const letThrough = await holdBack(page, `${provider.issuer}/auth**`);
  const left = page.waitForRequest(`${provider.issuer}/auth**`);
  const closed = page.waitForEvent("requestfailed", (request) => request.url().includes("/api/v1/feed"));
  const dialog = page.getByRole("dialog", { name: "Confirm that it's you" });
  const again = dialog.getByRole("button", { name: "Continue with single sign-on" });
  await page.route("**/api/auth/signin/oidc**", (route) => route.abort(), { times: 1 });
  await again.click();
  await expect(dialog.getByRole("alert")).toHaveText(/Signalbox isn't responding/);
  await again.click();
  await left;
  await closed;
  await endSession(page);
  letThrough();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(`${baseUrl()}/settings/keys`);
  expect(provider.asked.get("prompt")).toBe("login");
  await create();
  await expect(page.getByRole("dialog", { name: "API key made after single sign-on" })).toBeVisible();
  await setRole("developer");
});
