import type { Page } from "@playwright/test";
import { baseUrl } from "./support/installation.ts";
import { approve, callApi, openDialog, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

// Causes of failure that docs/platform.md names ("Errors"), as a person meets them: each ends on the connection's card with its
// cause and its fix. The sentences of all five: tests/integration/connections/callback.test.ts.

test.beforeEach(({ page }) => signIn(page));

/** The card on the list of connections. */
const cardOf = (page: Page, name: string) =>
  page
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name, exact: true }) })
    .first();

/** The card says what happened, why and what to do, on the connection's page and in the list; and the code is not left in the address. */
async function expectExplained(page: Page, name: string, cause: string | RegExp, fix: string | RegExp): Promise<void> {
  await expect(page).toHaveURL(/\/connections\/con_[a-z0-9]+(\?outcome=[a-z_]+)?$/);
  await expect(page.getByText(cause).first()).toBeVisible();
  await expect(page.getByText(fix).first()).toBeVisible();
  await page.goto("/connections");
  await expect(cardOf(page, name).getByText(cause)).toBeVisible();
  await expect(cardOf(page, name).getByText(fix)).toBeVisible();
}

test.describe("on a page that the platform answers with 400", () => {
  test.use({ expectedErrors: [/status of 400/] });

  test("cause 1, redirect fails: the platform keeps the person, and the card names the callback that isn't registered", {
    tag: "@deep",
  }, async ({ page }) => {
    await openDialog(page, "Cause one");
    await approve(page, "Act as if the callback is not registered");
    await expect(page.getByRole("heading", { name: "The redirect failed" })).toBeVisible();
    await page.goto("/connections");
    const card = cardOf(page, "Cause one");
    await expect(card.getByText(/Callback URL is not registered in the OAuth app/)).toBeVisible({ timeout: 60_000 });
    await expect(card.getByText(`Register ${baseUrl()}/callback in the platform's OAuth app`)).toBeVisible();
  });
});

test("cause 2, token exchange rejected: the client's id or secret", { tag: "@deep" }, async ({ page }) => {
  await openDialog(page, "Cause two");
  await approve(page, "Reject the client secret on code exchange");
  await expectExplained(
    page,
    "Cause two",
    "Client ID or client secret is incorrect.",
    /Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET/,
  );
  await expect(cardOf(page, "Cause two").getByText("invalid_client")).toBeVisible();
});

test("a connection without a name bears its account's, and is renamed", async ({ page }) => {
  await openDialog(page, "");
  await approve(page);
  await expect(page).toHaveURL(/\/connections\/con_/);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).not.toHaveText(/^Account \d+$/);
  const named = (await heading.textContent()) ?? "";
  await expect(page.getByText(`Connected ${named}`)).toBeVisible();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Head office");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Rename connection" }).click();
  await expect(heading).toHaveText("Head office");
  await page.goto("/connections");
  await expect(cardOf(page, "Head office")).toBeVisible();
});

test("cause 5, calls rejected: the access has ended, and reconnecting heals it in place", { tag: "@deep" }, async ({ page }) => {
  await openDialog(page, "Cause five");
  await approve(page);
  await expect(page.getByText("Connected Cause five")).toBeVisible();
  const address = page.url().split("?")[0] ?? "";
  await page.getByRole("button", { name: "Test" }).click();
  await expect(page.getByText("Verified Cause five")).toBeVisible();
  await callApi("/sandbox/api/revocations", {}); // the account's administrator takes it all back
  await page.getByRole("button", { name: "Test" }).click();
  await expect(page.getByText("Couldn't verify Cause five")).toBeVisible();
  await expect(page.getByText("Access was revoked, or the refresh token is no longer valid.").first()).toBeVisible();
  await expect(page.getByText(/^Access token has expired \(refresh it\)\./).first()).toBeVisible();
  await expect(page.getByText("invalid_grant").first()).toBeVisible();
  await page.goto("/connections");
  await expect(cardOf(page, "Cause five").getByText(/Access token has expired/)).toBeVisible();
  await cardOf(page, "Cause five").getByRole("button", { name: "Reconnect" }).click();
  await approve(page);
  await expect(page).toHaveURL(new RegExp(`^${address}`));
  await expect(page.getByText("Access has ended")).toBeHidden();
  await expect(page.getByRole("list", { name: "Connection history" }).getByRole("listitem")).toHaveCount(5);
});

test("fewer permissions and another account show on the card; disconnecting reports both sides", { tag: "@deep" }, async ({ page }) => {
  await openDialog(page, "Odd one");
  await approve(page, "Grant only the first permission");
  await expect(page.getByText("1 of 5 permissions were granted.")).toBeVisible();
  await page.getByRole("button", { name: "Reconnect" }).click();
  await page.getByText("Globex Corporation").click();
  await approve(page);
  await expect(page.getByText("This is now a different account: Globex Corporation.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Disconnect", exact: true }).click();
  await page.getByRole("button", { name: "Disconnect Odd one" }).click();
  await expect(page.getByText("The tokens were erased. The platform confirmed that access was revoked.")).toBeVisible();
  // The first account's permission was taken back when the second replaced it.
  await expect(page.getByText("Revoked on the platform")).toHaveCount(2);
});
