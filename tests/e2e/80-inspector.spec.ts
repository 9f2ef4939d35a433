import { readFile } from "node:fs/promises";
import { callApi, sendEvent, signIn, untilState } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

type Queued = { eventIds: string[] };
type Detail = { id: string; raw: string; state: string; issueId: string | null };

/** Sends one event through the sandbox and waits until it has been tried. */
async function send(type: string, data: Record<string, unknown>): Promise<Detail> {
  const id = await sendEvent({ type, data });
  const read = () => callApi<Detail>(`/api/v1/events/${id}`);
  await expect.poll(async () => (await read().catch(() => null))?.state ?? "pending", { timeout: 60_000 }).not.toBe("pending");
  return read();
}

const PAYLOAD = { documentId: "doc_inspected", organizationId: "org_1", status: "completed", metadata: { customer: "Acme Ltd", pages: 3 } };

test("a failed event tells its failure first: the reason, the fix, its button, and the way to all that fail like it", async ({ page }) => {
  const event = await send("document.processed", { ...PAYLOAD, documentId: null });
  await page.goto(`/events/${event.id}`);
  const main = page.getByRole("main");
  await expect(main.getByText(/has no document ID/).first()).toBeVisible();
  const words = await main.innerText();
  expect(words.indexOf("has no document ID")).toBeLessThan(words.indexOf("Occurred"));
  await expect(main.getByText(/The event has no ID for its resource/)).toBeVisible();
  await expect(main.getByText(/Check the payload/)).toBeVisible();
  await expect(main.getByRole("button", { name: "Re-deliver" })).toBeVisible();
  await expect(main.getByRole("link", { name: "View issue" })).toHaveAttribute("href", `/issues/${event.issueId}`);
  const steps = main.getByRole("list", { name: "Event timeline" });
  for (const step of ["Occurred", "Received", "Verified", "Stored", "Not applied"]) await expect(steps).toContainText(step);
  await expectAccessible(page);
});

test("the timing names the late part: an event that the platform sent an hour after it happened", { tag: "@deep" }, async ({ page }) => {
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  const { eventIds } = await callApi<Queued>("/sandbox/api/events", { type: "document.processed", data: PAYLOAD, created: hourAgo });
  const id = eventIds[0] ?? "";
  await untilState(id, "processed", { timeout: 60_000 });
  await page.goto(`/events/${id}?tab=timing`);
  const main = page.getByRole("main");
  await expect(main.getByText(/^Sent by platform .* after it happened\.$/).first()).toBeVisible();
  const rows = main.getByRole("table", { name: "Timing" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("From platform");
  await expect(rows.nth(2)).toContainText("Stored and applied");
  await expectAccessible(page);
});

test("the payload is found in, its paths are copied, and a press on a value searches for it", { tag: "@deep" }, async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const event = await send("document.processed", PAYLOAD);
  await page.goto(`/events/${event.id}`);
  await page.getByRole("searchbox", { name: "Find in payload" }).fill("acme");
  await expect(page.getByText("1 match")).toBeVisible();
  await expect(page.locator("mark")).toHaveText("Acme");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Copy path of customer" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("data.metadata.customer");
  await page.getByRole("link", { name: '"Acme Ltd"' }).click();
  await expect(page).toHaveURL(/\/events\?q=data\.metadata\.customer/);
  await expect(page.locator(`[data-event="${event.id}"]`)).toBeVisible();
});

test("the raw bytes are shown and downloaded to the byte; link and command are copied", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const event = await send("document.processed", { ...PAYLOAD, documentId: "doc_raw" });
  await page.goto(`/events/${event.id}`);
  await page.getByRole("button", { name: "Raw", exact: true }).click();
  await expect(page.getByText(event.raw.slice(0, 40)).first()).toBeVisible();
  const more = () => page.getByRole("button", { name: "More actions" }).click();
  await more();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Download raw body" }).click()]);
  expect(await readFile(await download.path(), "utf8")).toBe(event.raw);
  await more();
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`/events/${event.id}`);
  await more();
  await page.getByRole("menuitem", { name: "Copy as cURL" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("curl -X POST");
});

test("what the browser does not let the page copy is not said to be copied", { tag: "@deep" }, async ({ page }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("blocked"));
  });
  const event = await send("document.processed", { ...PAYLOAD, documentId: "doc_not_copied" });
  await page.goto(`/events/${event.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Copy ID" }).click();
  await expect(page.getByText("Couldn't copy")).toBeVisible();
  await expect(page.getByText("Copied ID")).toHaveCount(0);
});

test("request, delivery, effects and related each answer on their own tab", { tag: "@deep" }, async ({ page }) => {
  const event = await send("document.processed", { ...PAYLOAD, documentId: "doc_tabs" });
  await send("document.deleted", { documentId: "doc_tabs" });
  await page.goto(`/events/${event.id}`);
  const open = (name: RegExp) => page.getByRole("tab", { name }).click();
  await open(/Request/);
  await expect(page.getByText("x-webhook-signature", { exact: true })).toBeVisible();
  await expect(page.getByText("Raw body", { exact: true })).toBeVisible();
  await open(/Delivery/);
  await expect(page.getByText("Attempt 1 applied")).toBeVisible();
  await open(/Effects/);
  await expectAccessible(page);
  await open(/Related/);
  await expect(page.getByRole("link", { name: "Document deleted" })).toBeVisible();
});

test("beside the list no tab is cut off, and the page's title and filters stay whole", async ({ page }) => {
  const event = await send("document.processed", { ...PAYLOAD, documentId: "doc_beside" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/events?event=${event.id}&tab=headers`);
  const tabs = page.getByRole("complementary", { name: "Selected event" }).getByRole("tab");
  await expect(tabs).toHaveText([/^Payload/, /^Request/, /^Delivery/, /^Effects/, /^Related/]);
  await expect(tabs.nth(1)).toHaveAttribute("aria-selected", "true");
  for (const control of [...(await tabs.all()), ...(await page.getByRole("search").getByRole("button").all()), page.locator("h1")])
    await expect(control).toBeInViewport({ ratio: 0.95 }); // a tab's line covers that of the list
});

test("two events are compared side by side: only what differs, or all", { tag: "@deep" }, async ({ page }) => {
  const one = await send("document.processed", { ...PAYLOAD, documentId: "doc_compared" });
  const other = await send("document.processed", { ...PAYLOAD, documentId: "doc_compared", status: "partial" });
  await page.goto(`/events/${one.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: /Compare with another event/ }).click();
  const dialog = page.getByRole("dialog", { name: "Compare with another event" });
  await dialog.getByLabel("Or any event ID").fill(other.id);
  await expect(dialog.getByRole("row", { name: /data.status/ })).toContainText("partial");
  await expect(dialog.getByRole("row", { name: /data.documentId/ })).toBeHidden();
  await expectAccessible(page);
  await dialog.getByText("Show all fields").click();
  await expect(dialog.getByRole("row", { name: /data.documentId/ })).toBeVisible();
});
