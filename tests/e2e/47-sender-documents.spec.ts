import { KNOWN_SENDERS } from "#tests/support/known-senders/known-senders";
import { contractOf } from "#tests/support/sender-contracts";
import { archiveAddedSources } from "./support/installation-database.ts";
import { postWebhook } from "./support/post-webhook.ts";
import { callApi, signIn } from "./support/session.ts";
import { expect, narrowToPhone, test } from "./support/watched-page.ts";

test.afterAll(archiveAddedSources);

type Added = { url: string };
type Record = { state: string };

const MINUTE = 60_000;

test("a contract of DocuSign is a document, beside the platform's, from sent to completed, and as of a moment between", {
  tag: "@deep",
}, async ({ page }) => {
  const { secret } = KNOWN_SENDERS.docusign;
  const { url } = await callApi<Added>("/api/v1/sources", { name: "docusign-live", template: "docusign", secret });
  const begin = Math.floor(Date.now() / 1000) * 1000 - 90 * MINUTE;
  for (const [step, minute] of [
    ["sent", 0],
    ["viewed", 20],
    ["completed", 60],
  ] as const) {
    const { body, headers } = contractOf("docusign", step, { url, now: begin + minute * MINUTE, tries: 0 });
    expect(await postWebhook(url, body, headers)).toBe(200);
  }
  const id = "source-docusign-live:document:contract-1";
  const path = `/api/v1/documents/${encodeURIComponent(id)}`;
  await expect.poll(async () => (await callApi<Record>(path).catch(() => null))?.state).toBe("completed");

  await signIn(page);
  await page.goto("/documents?source=docusign-live");
  const row = page.getByRole("row").filter({ hasText: "Lease of 7 Mill Lane" });
  await expect(row).toContainText("Completed");
  await expect(row).toContainText("envelope-completed");
  await row.getByRole("link", { name: "Lease of 7 Mill Lane" }).click();

  await expect(page.getByRole("heading", { name: "Lease of 7 Mill Lane" })).toBeVisible();
  await expect(page.locator("[data-story]")).toContainText(/Sent .*, viewed .*, completed/i);
  await expect(page.getByText("envelope-completed").first()).toBeVisible();
  await expect(page.getByText("Envelope sent").first()).toBeVisible();

  const slider = page.getByRole("slider", { name: "As of" });
  await slider.focus();
  await slider.press("ArrowLeft");
  await slider.press("ArrowLeft");
  await expect(page).toHaveURL(/asOf=/);
  const fact = (name: RegExp) => page.locator("dl > div").filter({ hasText: name }).first();
  await expect(fact(/^State/)).toContainText("Viewed");
  await expect(fact(/^Sender's word/)).toContainText("envelope-delivered");
  await narrowToPhone(page);
});
