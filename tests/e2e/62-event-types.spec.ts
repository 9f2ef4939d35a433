import { readFileSync } from "node:fs";
import { callApi, learntType, sendEvent, signIn } from "./support/session.ts";
import { expect, expectAccessible, narrowToPhone, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

test("the fields of a type, what each was seen with, and its types to copy, are found from the navigation", { tag: "@deep" }, async ({
  page,
}) => {
  await sendEvent({ type: "document.processed", data: { documentId: "doc_plain" } });
  const id = await learntType("document.processed");
  // Of the first events of a type nothing is new.
  const risky = await sendEvent({ type: "document.processed", data: { documentId: "doc_risk", risk: "high" } });
  const paths = async () => (await callApi<{ tree: { path: string }[] }>(`/api/v1/event-types/${id}`)).tree.map(({ path }) => path);
  await expect.poll(paths, { timeout: 60_000 }).toContain("data.risk");
  await page.goto("/event-types");
  await page.getByRole("searchbox", { name: "Find an event type" }).fill("document.processed");
  await page
    .getByRole("link", { name: "document.processed" })
    .and(page.locator(`[href="/event-types/${id}"]`))
    .click(); // another source may have the type, too
  await expect(page.getByRole("heading", { level: 1, name: "document.processed" })).toBeVisible();
  const fields = page.getByRole("table", { name: "Fields" });
  await expect(fields.getByRole("row", { name: /documentId/ })).toContainText(/text.*in /);
  await fields.getByRole("button", { name: "risk", exact: true }).click();
  await expect(fields.getByText("data.risk", { exact: true })).toBeVisible();
  await expect(fields.getByRole("link", { name: /^evt_/ }).first()).toHaveAttribute("href", `/events/${risky}`);
  await expectAccessible(page, ["light", "dark"]);
  await page.getByRole("tab", { name: "Types" }).click();
  await expect(page.getByText("export type DocumentProcessedData = {")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect(readFileSync(await (await download).path(), "utf8")).toContain('"risk"?: string; // in ');
  await page.goto(`/events/${risky}`);
  await expect(page.getByText("First event with data.risk")).toBeVisible();
});

test("a version is published, pinned, compared and unpinned; the sender's documentation is pinned from a file", { tag: "@deep" }, async ({
  page,
}) => {
  await sendEvent({ type: "task.created", data: { taskId: "task_pin", title: "Pin" } });
  const id = await learntType("task.created");
  await page.goto(`/event-types/${id}?tab=versions`);
  await page.getByRole("button", { name: "Publish a version" }).click();
  const versions = page.getByRole("table", { name: "Versions, newest first" });
  await versions
    .getByRole("button", { name: /^Pin \d/ })
    .first()
    .click();
  await expect(page.getByText(/^Pinned to version \d/)).toBeVisible();
  await expect(page.getByText("Both say the same.")).toBeVisible();
  await page.getByRole("button", { name: "Pin from a file" }).click();
  const dialog = page.getByRole("dialog", { name: "Pin from a file" });
  const schema = { type: "object", properties: { taskId: { type: "integer" }, owner: { type: "string" } }, required: ["owner"] };
  await dialog
    .getByLabel("File")
    .setInputFiles({ name: "task.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(schema)) });
  await expect(dialog.getByText(/data\.owner documented as required, absent in all/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Pin schema" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Pinned to task.json")).toBeVisible();
  await page.getByRole("tab", { name: "Fields" }).click();
  await expect(page.getByText(/Events differ from task\.json in \d+ places/)).toBeVisible();
  await expect(page.getByRole("row", { name: /owner.*Documented, never seen/ })).toBeVisible();
  await narrowToPhone(page);
  await expectAccessible(page);
  await callApi(`/api/v1/event-types/${id}/pin`, { pinned: false });
});
