import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { stripeSignature } from "#tests/support/senders";
import { archiveAddedSources } from "./support/installation-database.ts";
import { postWebhook } from "./support/post-webhook.ts";
import { callApi, signIn } from "./support/session.ts";
import { expect, expectAccessible, expectAccessibleOnPhone, narrowToPhone, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

const STRIPE_SECRET = "whsec_the-secret-that-stripe-issued";

test.afterAll(archiveAddedSources);

/** Senders whose dialog was looked at: it is the same for each name. */
const looked = new Set<string>();

/** Opens the dialog, chooses a sender and adds the source under a name. @returns its URL */
async function addSource(page: Page, sender: string, name: string, secret?: string): Promise<string> {
  await page.goto("/settings/sources");
  await page.getByRole("button", { name: "Add source" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Sender").click();
  await page.getByRole("option", { name: sender, exact: true }).click();
  await dialog.getByLabel("Name").fill(name);
  if (secret !== undefined) await dialog.getByLabel("Secret").fill(secret);
  if (!looked.has(sender)) await expectAccessible(page);
  looked.add(sender);
  await dialog.getByRole("button", { name: "Add source" }).click();
  await expect(page.getByRole("dialog", { name: `Added ${name}` })).toBeVisible();
  return dialog
    .locator("code", { hasText: `/webhooks/${name}` })
    .first()
    .innerText();
}

test("from Add source to the first verified event of Stripe, and a wrong secret in words", async ({ page }) => {
  const url = await addSource(page, "Stripe", "stripe-live", STRIPE_SECRET);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Waiting for the first event")).toBeVisible();
  await narrowToPhone(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  const send = (id: string, secret: string) => {
    const payload = JSON.stringify({ id, type: "invoice.paid", created: Math.floor(Date.now() / 1000), data: { object: { id: "in_1" } } });
    return postWebhook(url, payload, { "stripe-signature": stripeSignature(payload, secret) });
  };
  expect(await send("evt_stripe_e2e", "whsec_of-another-endpoint")).toBe(401);
  expect(await send("evt_stripe_e2e", STRIPE_SECRET)).toBe(200);
  await expect(dialog.getByText("First event received")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.goto("/events/evt_stripe_e2e");
  await expect(page.getByText("invoice.paid").first()).toBeVisible();
  await page.getByRole("tab", { name: "Request" }).click();
  await expect(page.getByText("Signed", { exact: true })).toBeVisible();

  await page.goto("/quarantine?source=stripe-live");
  await expect(page.getByText("Its signature does not match the body.").first()).toBeVisible();
});

test("a paused source holds what it receives, and releases it when it is resumed; it is archived and restored", { tag: "@deep" }, async ({
  page,
}) => {
  const url = await addSource(page, "Stripe", "stripe-paused", STRIPE_SECRET);
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Pause stripe-paused" }).click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Pause stripe-paused" }).click();
  const resume = page.getByRole("button", { name: "Resume stripe-paused" });
  await expect(resume).toBeVisible();
  const payload = JSON.stringify({ id: "evt_held_e2e", type: "invoice.paid", created: Math.floor(Date.now() / 1000), data: {} });
  expect(await postWebhook(url, payload, { "stripe-signature": stripeSignature(payload, STRIPE_SECRET) })).toBe(202);
  await page.reload();
  await expect(page.getByRole("link", { name: "1 request is held" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/");
  await expect(page.getByText("stripe-paused is paused: 1 request is held.")).toBeVisible();
  await page.goto("/settings/sources");
  await resume.click();
  await expect(page.getByText("Resumed stripe-paused")).toBeVisible();
  await expect(async () => {
    await page.goto("/events/evt_held_e2e");
    await expect(page.getByText("invoice.paid").first()).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  await page.goto("/settings/sources");
  await page.getByRole("button", { name: "Archive stripe-paused" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive stripe-paused" }).click();
  await page.getByRole("button", { name: "Restore stripe-paused" }).click();
  await expect(page.getByRole("button", { name: "Archive stripe-paused" })).toBeVisible();
});

test("a source keeps its events for less time than the workspace, until that is ended", { tag: "@deep" }, async ({ page }) => {
  await addSource(page, "Stripe", "stripe-brief", STRIPE_SECRET);
  await page.goto("/settings/retention");
  await page.getByLabel("Source", { exact: true }).click();
  await page.getByRole("option", { name: "stripe-brief" }).click();
  await page.getByLabel("Keep its events for").click();
  await page.getByRole("option", { name: "7 days" }).click();
  await page.getByRole("button", { name: "Keep stripe-brief for 7 days" }).click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep stripe-brief for 7 days" }).click();
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: "stripe-brief" })).toContainText(
    /7 days; events received before .* are deleted/,
  );
  await expectAccessible(page);
  await narrowToPhone(page);
  await page.getByRole("button", { name: "Keep as long as the workspace: stripe-brief" }).click();
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: "stripe-brief" })).toBeHidden();
});

test("how a source's events are read is changed after it was tried on what was received", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/settings/sources");
  await page.getByRole("button", { name: "Add source" }).click();
  const added = page.getByRole("dialog");
  await added.getByLabel("Sender").click();
  await page.getByRole("option", { name: "HMAC", exact: false }).first().click();
  await added.getByLabel("Name").fill("home-made");
  await added.getByLabel("Header", { exact: true }).fill("x-signature");
  await added.getByLabel("Secret").fill("the-secret-of-a-home-made-sender");
  await added.getByRole("button", { name: "Add source" }).click();
  await expect(page.getByRole("dialog", { name: "Added home-made" })).toBeVisible();
  const url = await added.locator("code", { hasText: "/webhooks/home-made" }).first().innerText();
  await added.getByRole("button", { name: "Done" }).click();

  const body = Buffer.from(JSON.stringify({ ref: "door-7", what: "opened" }));
  const signature = createHmac("sha256", "the-secret-of-a-home-made-sender").update(body).digest("hex");
  const send = () => postWebhook(url, body, { "x-signature": signature });
  expect(await send()).toBe(202);

  await page.getByRole("button", { name: "Edit home-made" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit home-made" });
  await expect(dialog.getByLabel("Header", { exact: true })).toHaveValue("x-signature");
  await dialog.getByRole("button", { name: "Try it on received requests" }).click();
  // One, or two where a busy machine answered 503 although it had stored the first.
  const { data: requests } = await callApi<{ data: unknown[] }>("/api/v1/quarantine?source=home-made");
  await expect(dialog.getByText(`0 of ${requests.length} recent request${requests.length === 1 ? "" : "s"} would be events`)).toBeVisible();
  await dialog.getByLabel("An event's parts stand").click();
  await page.getByRole("option", { name: "At other places" }).click();
  await dialog.getByLabel("Event ID").fill("ref");
  await dialog.getByLabel("Event type").fill("door.{what}, what");
  await dialog.getByRole("button", { name: "Try it on received requests" }).click();
  await expect(dialog.getByText("1 of 1 recent request would be an event")).toBeVisible();
  await expect(dialog.getByText("door.opened · door-7")).toBeVisible();
  await expectAccessibleOnPhone(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole("button", { name: "Save source" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(send).toBe(200);
});
