import { Secret, TOTP } from "otpauth";
import { baseUrl, INSTALLATION } from "./support/installation.ts";
import { ageSession, queryInstallation } from "./support/installation-database.ts";
import { fillSignIn, signIn, signOut } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.describe.configure({ mode: "serial" });
// A wrong code or password, and a session that is asked for a proof.
test.use({ expectedErrors: [/status of 40[03]/] });
test.beforeEach(({ page }) => signIn(page));

// The files that follow sign in with the password alone.
test.afterEach(async () => {
  for (const table of ["totp_factors", "passkeys", "recovery_codes", "sign_in_failures"]) await queryInstallation(`DELETE FROM ${table}`);
});

const codeOf = (secret: string, periods = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + periods * 30_000 });

test("an authenticator app is set up, asked for at sign-in, and a recovery code stands in for it", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/settings/account");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const window = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await expect(window.getByRole("img", { name: "QR code of the key below" })).toBeVisible();
  await expectAccessible(page);
  const secret = await window.locator("code").innerText();
  await window.getByRole("textbox", { name: "Code" }).fill(codeOf(secret));
  await window.getByRole("button", { name: "Set up authenticator app" }).click();
  const codes = page.getByRole("dialog", { name: "Recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  const recoveryCode = await codes.getByRole("listitem").first().innerText();
  await codes.getByRole("button", { name: "I saved them" }).click();
  await expect(page.getByText("10 of 10 left")).toBeVisible();

  await signOut(page);
  await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
  await expect(page.getByRole("heading", { name: "Second factor" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/events");
  await expect(page).toHaveURL(/\/sign-in\/second-factor\?returnTo=%2Fevents/);
  await page.getByRole("textbox", { name: "Code" }).fill("000000");
  await page.getByRole("button", { name: "Verify code" }).click();
  await expect(page.getByRole("alert").first()).toContainText("wrong or was already used");
  await page.getByRole("textbox", { name: "Code" }).fill(codeOf(secret, 1));
  await page.getByRole("button", { name: "Verify code" }).click();
  await expect(page).toHaveURL(`${baseUrl()}/events`);

  await signOut(page);
  await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(recoveryCode);
  await page.getByText("Don't ask in this browser for 30 days").click();
  await page.getByRole("button", { name: "Verify code" }).click();
  await expect(page).toHaveURL(`${baseUrl()}/`);
  await signOut(page);
  await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
  await expect(page).toHaveURL(`${baseUrl()}/`);
});

test("a passkey is made, proves the sign-in after the password, and signs in by itself", async ({ page }) => {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  const { authenticatorId } = await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
  await page.goto("/settings/account");
  await page.getByRole("button", { name: "Add passkey" }).click();
  const window = page.getByRole("dialog", { name: "Add a passkey" });
  await window.getByLabel("Name").fill("Work laptop");
  await window.getByRole("button", { name: "Create passkey" }).click();
  await page.getByRole("dialog", { name: "Recovery codes" }).getByRole("button", { name: "I saved them" }).click();
  await expect(page.getByText("Passkey Work laptop")).toBeVisible();

  await signOut(page);
  await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page).toHaveURL(`${baseUrl()}/`);

  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(`${baseUrl()}/`);

  await signOut(page);
  await browser.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a session older than 15 minutes is asked for the password before it creates an API key, and goes on by itself", {
  tag: "@deep",
}, async ({ page }) => {
  await page.goto("/settings/keys");
  await ageSession(page);
  await page.getByRole("button", { name: "Create API key" }).click();
  await page.getByLabel("Name").fill("made after a proof");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it's you" });
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel("Your password").fill("wrong-wrong-wrong");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByText("The password is incorrect.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Enter your password, then try again." })).toBeVisible();
  await page.getByRole("button", { name: "Create key" }).click();
  await dialog.getByLabel("Your password").fill(INSTALLATION.ownerPassword);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("dialog", { name: "API key made after a proof" })).toBeVisible();
  await page.getByRole("button", { name: "I've copied it" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
