import { callApi, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

type Sent = { data: { story: string | null; eventId: string }[] };

/** The document of the story that the sandbox told last: others may be suspected too, of what earlier tests sent. */
async function documentOfStory(story: string): Promise<string> {
  const { data } = await callApi<Sent>("/sandbox/api/deliveries");
  const sent = data.find((delivery) => delivery.story === story);
  const event = await callApi<{ resources: { kind: string; id: string }[] }>(`/api/v1/events/${sent?.eventId}`);
  return event.resources.find(({ kind }) => kind === "document")?.id ?? "";
}

type Findings = { data: { id: string; rule: string; resource: { kind: string; id: string } }[] };
const openOf = async (rule: string) => (await callApi<Findings>(`/api/v1/findings?rule=${rule}`)).data;

// A suspicion takes its time to ripen: the second test's does while the first goes on.
test.beforeAll(async () => void (await callApi("/sandbox/api/stories", { story: "run_never_ends" })));

test("a document that nobody uploaded is suspected, shows on its own page, and closes by itself when its event comes", async ({ page }) => {
  test.setTimeout(120_000);
  await signIn(page);
  await page.goto("/sandbox");
  await page.getByRole("button", { name: "Tell it: a document nobody uploaded" }).click();
  await page.goto("/findings");
  const row = page.getByRole("listitem").filter({ hasText: "no event says that it was uploaded" }).first();
  await expect(row).toBeVisible({ timeout: 60_000 });
  await expect(row.getByText("Suspected")).toBeVisible();
  await expectAccessible(page);
  const document = await documentOfStory("upload_never_came");
  const isOpen = async () => (await openOf("processed_never_uploaded")).some(({ resource }) => resource.id === document);
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(true);
  await page.goto(`/documents/${document}`);
  await expect(page.getByText(/^Suspected: a document was processed/)).toBeVisible();
  await page.goto("/sandbox");
  await page.getByRole("button", { name: "Bring it: a document nobody uploaded" }).click();
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(false);
  await page.goto("/findings?state=closed");
  await expect(page.getByText(/Closed by itself/).last()).toBeVisible();
});

test("a suspicion that is dismissed says by whom, and leaves the list", async ({ page }) => {
  test.setTimeout(120_000);
  await signIn(page);
  await expect.poll(async () => (await openOf("run_without_end")).length, { timeout: 60_000 }).toBeGreaterThan(0);
  const before = (await openOf("run_without_end")).length;
  await page.goto("/findings");
  await page
    .getByRole("button", { name: /^Dismiss: An automation was triggered/ })
    .first()
    .click();
  await expect.poll(async () => (await openOf("run_without_end")).length).toBe(before - 1);
  await page.getByRole("button", { name: "Dismissed" }).click();
  await expect(page.getByText(/Dismissed by owner@example.com/).first()).toBeVisible();
});
