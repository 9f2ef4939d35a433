import type { Page } from "@playwright/test";
import { baseUrl } from "./support/installation.ts";
import { AGAIN_IF_RESET, fillSignIn, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

const BEN = { name: "Ben Carter", email: "ben@example.com", password: "tram-violet-7-lake" };

test.describe.configure({ mode: "serial" });
test.beforeEach(({ page }) => signIn(page));

/** Makes an invitation in the owner's page. @returns its link */
async function invite(page: Page, { role, email }: { role: string; email?: string }): Promise<string> {
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite a member" }).click();
  await expect(page.getByRole("combobox", { name: "Role" })).toBeFocused();
  await page.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: role }).click();
  if (email) await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Create invite" }).click();
  await expect(page.getByRole("button", { name: "Copy link" })).toBeFocused();
  const link = await page.getByRole("dialog").locator("code").innerText();
  // It is shown once: neither Escape nor a press outside takes it away.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(page.getByRole("dialog").locator("code")).toHaveText(link);
  await page.getByRole("button", { name: "I've copied it" }).click();
  await expect(page.getByRole("button", { name: "Invite a member" })).toBeFocused();
  return link;
}

/** The menu of workspaces, which shows the present one's name. */
const switcher = (page: Page, name: string) => page.getByRole("button", { name: /switch workspace/ }).filter({ hasText: name });
const rowOf = (page: Page, who: string) => page.getByRole("row").filter({ hasText: who });

test("an invite link adds one new member with the chosen role, and works only once", async ({ page, browser }) => {
  const link = await invite(page, { role: "Viewer", email: BEN.email });
  await expect(rowOf(page, BEN.email)).toContainText("viewer");
  const guest = await (await browser.newContext({ baseURL: baseUrl() })).newPage();
  await guest.goto(link);
  await expect(guest.getByRole("heading", { name: /^Join / })).toBeVisible();
  await expectAccessible(guest);
  await guest.getByLabel("Your name").fill(BEN.name);
  await guest.getByLabel("Password").fill("qwertyuiop123");
  await guest.getByRole("button", { name: /^Join/ }).click();
  await expect(guest.getByText("This password is too common")).toBeVisible();
  await guest.getByLabel("Password").fill(BEN.password);
  await guest.getByRole("button", { name: /^Join/ }).click();
  await expect(guest).toHaveURL(`${baseUrl()}/`);
  // A viewer sees the members and the roles, and nothing to change them with.
  await guest.goto("/settings/members");
  await expect(rowOf(guest, BEN.name)).toContainText("viewer");
  await expect(guest.getByRole("button", { name: "Invite a member" })).toBeHidden();
  await guest.goto("/settings/audit");
  await expect(guest.getByText("You don't have access to this page")).toBeVisible();
  await guest.goto(link);
  await expect(guest.getByText("This invite was already used.")).toBeVisible();
  await guest.close();
});

test("a changed role ends the member's session at once; the member signs in again and may more", { tag: "@deep" }, async ({
  page,
  browser,
}) => {
  const guest = await (await browser.newContext({ baseURL: baseUrl() })).newPage();
  await enterAsBen(guest);
  await page.goto("/settings/members");
  await page.getByRole("button", { name: `Change role of ${BEN.name}` }).click();
  await page.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "Admin" }).click();
  await page.getByRole("button", { name: "Change role", exact: true }).click();
  await expect(rowOf(page, BEN.name)).toContainText("admin");
  // Nobody touches the other browser: its feed is closed, and it goes to sign-in by itself.
  await expect(guest).toHaveURL(/\/sign-in/);
  await enterAsBen(guest);
  await guest.goto("/settings/members");
  await expect(guest.getByRole("button", { name: "Invite a member" })).toBeVisible();
  // An admin changes no owner.
  await expect(rowOf(guest, "owner").getByRole("button", { name: /Change role/ })).toHaveCount(0);
  await guest.close();
});

test("a new workspace is empty, has its own address for webhooks, and one switches back", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/");
  const home = (await (await page.request.get("/api/v1/session", AGAIN_IF_RESET)).json()).workspace.name as string;
  await switcher(page, home).click();
  await page.getByRole("menuitem", { name: "Create a workspace" }).click();
  await page.getByLabel("Name").fill("Acme staging");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await expect(switcher(page, "Acme staging")).toBeVisible();
  await page.goto("/settings/sources");
  await expect(page.getByText(/\/webhooks\/acme-staging-/)).toBeVisible();
  await page.goto("/settings");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Acme test");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await switcher(page, "Acme test").click();
  await page.getByRole("menuitemradio", { name: home, exact: true }).click();
  await expect(switcher(page, home)).toBeVisible();
});

test("the audit log records all this, and is exported as a file", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/settings/audit");
  const log = page.getByRole("list", { name: "Audit log" });
  await expect(log.getByRole("listitem").filter({ hasText: "Changed a role" }).first()).toContainText("Rolevieweradmin");
  await page.getByLabel("Actor or target").fill(BEN.email);
  await expect(log.getByText("Joined the workspace")).toHaveCount(1);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  expect((await download).suggestedFilename()).toBe("audit-log.csv");
  await page.getByLabel("Actor or target").fill("nobody is called that");
  await expect(page.getByRole("button", { name: /clear/i })).toBeVisible();
});

test("a removed member is out at once, with the API key that they made", { tag: "@deep" }, async ({ page, browser, request }) => {
  const guest = await (await browser.newContext({ baseURL: baseUrl() })).newPage();
  await enterAsBen(guest);
  const body = { name: "Ben's script", role: "viewer" };
  const made = await guest.request.post("/api/v1/api-keys", {
    data: body,
    headers: { origin: new URL(baseUrl()).origin },
    ...AGAIN_IF_RESET,
  });
  const headers = { authorization: `Bearer ${(await made.json()).key}` };
  const useKey = async () => (await request.get("/api/v1/session", { headers, ...AGAIN_IF_RESET })).status();
  expect(await useKey()).toBe(200);
  await page.goto("/settings/members");
  await page.getByRole("button", { name: `Remove ${BEN.name}` }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("checkbox", { name: /Revoke the API key they created/ }).check();
  await dialog.getByRole("button", { name: `Remove ${BEN.name}` }).click();
  // Until it is done the dialog stays open, and hides the rows from roles.
  await expect(dialog).toBeHidden();
  expect(await useKey()).toBe(401);
  await expect(rowOf(page, BEN.name)).toBeHidden();
  await expect(guest).toHaveURL(/\/sign-in/);
  await guest.close();
});

async function enterAsBen(guest: Page): Promise<void> {
  await guest.goto("/sign-in");
  await fillSignIn(guest, BEN.email, BEN.password);
  await expect(guest).toHaveURL(`${baseUrl()}/`);
}
