import { type MailServer, startMailServer } from "#tests/support/alerts/mail-server";
import { INSTALLATION, smtpPort } from "./support/installation.ts";
import { callApi, signIn } from "./support/session.ts";
import { expect, expectAccessible, narrowToPhone, test } from "./support/watched-page.ts";

test.describe.configure({ mode: "serial" });

let mail: MailServer;

test.beforeAll(async () => {
  mail = await startMailServer({ port: smtpPort() });
});
// A channel that is left behind would fail, and other tests ask whether all is well.
test.afterAll(async () => {
  const { data } = await callApi<{ data: { id: string }[] }>("/api/v1/alert-channels");
  for (const { id } of data) await callApi(`/api/v1/alert-channels/${id}`, undefined, "DELETE");
  await mail.close();
});

test("a channel is added, and a test message arrives in the mailbox", async ({ page }) => {
  await signIn(page);
  await page.goto("/settings/alerts");
  await expect(page.getByText("No channels yet")).toBeVisible();
  expect((await (await page.request.get("/settings/alerts")).text()).replaceAll("<!-- -->", "")).not.toContain("Loading alerts");
  await page.getByRole("button", { name: "Add channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("On call");
  await dialog.getByLabel("Addresses").fill(INSTALLATION.ownerEmail);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add channel" }).click();
  await dialog.getByRole("button", { name: "Send test over On call" }).click();
  await expect(page.getByText("The test message arrived")).toBeVisible();
  const test = { to: [INSTALLATION.ownerEmail], subject: expect.stringContaining("Test message") };
  expect(mail.mails).toContainEqual(expect.objectContaining(test));
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("list", { name: "Channels" })).toContainText(INSTALLATION.ownerEmail);
  await expect(page.getByRole("list", { name: "Channels" })).toContainText("Last sent");
});

test("an issue alerts, and is snoozed from the alert and from its page; a rule is muted", { tag: "@deep" }, async ({ page }) => {
  await callApi("/api/v1/alert-rules/processing_lag", { muteFor: "none", threshold: null }, "PATCH"); // a try before may have left it
  // No other file's event is of this issue: its alert would be open before the channel was there.
  await callApi("/sandbox/api/events", { type: "ai.classification_complete", data: { documentId: null } });
  await signIn(page);
  await page.goto("/settings/alerts");
  const alerts = page.getByRole("list", { name: "Alerts, newest first" });
  const alert = alerts.getByRole("listitem").filter({ hasText: "ai.classification_complete" }).first();
  await expect(alert).toContainText("Open", { timeout: 60_000 });
  await expect(alert.getByRole("list", { name: "Sent to" })).toContainText("On call");
  await alert.getByRole("button", { name: /^Snooze alerts/ }).click();
  await page.getByRole("menuitem", { name: "For a day" }).click();
  await expect(alert.getByRole("button", { name: /end the snooze/ })).toContainText("Snoozed, ends in");
  await alert.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/issues\//); // the page before has a button of that name, too
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await choose("End the snooze");
  await choose("Until it happens again");
  await expect(page.getByText("Snoozed until it recurs")).toBeVisible();
  await expectAccessible(page);
  await choose("End the snooze");
  await expect(page.getByText("Snoozed until it recurs")).toBeHidden();
  await page.goto("/settings/alerts");
  await page.getByRole("button", { name: "Mute Processing lag", exact: true }).click();
  await page.getByRole("menuitem", { name: "Mute for 1 hour" }).click();
  await expect(page.getByText("Muted by")).toBeVisible();
  const threshold = page.getByLabel("Processing lag: seconds");
  const changes: string[] = [];
  page.on("request", (request) => void (request.postData()?.includes("threshold") && changes.push(request.url())));
  await threshold.fill("120");
  await threshold.press("Enter");
  await threshold.blur();
  await expect(page.getByText("Processing lag: from 120 seconds")).toBeVisible();
  expect(changes).toHaveLength(1);
  await page.reload();
  await expect(threshold).toHaveValue("120");
  await page.getByRole("button", { name: "Unmute Processing lag" }).click();
  await expect(page.getByText("Processing lag: unmuted")).toBeVisible();
  await expect(page.getByText("Muted by")).toHaveCount(0);
  await threshold.fill("60");
  await threshold.press("Enter");
  await expect(page.getByText("Processing lag: from 60 seconds")).toBeVisible();
  // An empty field stands for the usual value, which it has.
  await threshold.fill("");
  await threshold.blur();
  await expect(threshold).toHaveValue("60");
  expect(changes).toHaveLength(2);
  await narrowToPhone(page);
  await expectAccessible(page);
});
