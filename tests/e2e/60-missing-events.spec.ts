import { callApi, signIn, untilState } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

type Sent = { data: { scenario: string | null; eventId: string }[] };

/** The document of the scenario that the sandbox told last: others may be suspected too, of what earlier tests sent. */
async function documentOfScenario(scenario: string): Promise<string> {
  const { data } = await callApi<Sent>("/sandbox/api/deliveries");
  const eventId = data.find((delivery) => delivery.scenario === scenario)?.eventId ?? "";
  await untilState(eventId, "processed", { timeout: 60_000 });
  const event = await callApi<{ resources: { kind: string; id: string }[] }>(`/api/v1/events/${eventId}`);
  return event.resources.find(({ kind }) => kind === "document")?.id ?? "";
}

type MissingEvents = { data: { id: string; rule: string; resource: { kind: string; id: string } }[] };
const openOf = async (rule: string) => (await callApi<MissingEvents>(`/api/v1/missing-events?rule=${rule}`)).data;

test("a document without an upload event is listed as missing it, shows so on its own page, and closes automatically when the event arrives", {
  tag: "@deep",
}, async ({ page }) => {
  await signIn(page);
  await page.goto("/sandbox");
  await page.getByRole("heading", { name: "Drop an event" }).click();
  await page.getByRole("button", { name: "Drop event: document without document.uploaded" }).click();
  await expect(page.getByText(/^Document without document.uploaded: sending \d+ webhook/)).toBeVisible();
  await page.goto("/missing-events");
  const row = page
    .getByRole("region", { name: "document.processed or document.error without document.uploaded" })
    .getByRole("listitem")
    .first();
  await expect(row).toBeVisible({ timeout: 60_000 });
  await expect(row.getByText("Possibly missing")).toBeVisible();
  const document = await documentOfScenario("upload_never_received");
  const isOpen = async () => (await openOf("processed_never_uploaded")).some(({ resource }) => resource.id === document);
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(true);
  await page.goto(`/documents/${document}`);
  await expect(page.getByText(/^Missing event: /)).toBeVisible();
  await page.goto("/sandbox");
  await page.getByRole("heading", { name: "Drop an event" }).click();
  await page.getByRole("button", { name: "Send missing event: document without document.uploaded" }).click();
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(false);
  await page.goto("/missing-events?state=closed");
  await expect(page.getByText(/Closed automatically/).last()).toBeVisible();
});

test("missing events stand by rule; a rule is snoozed and dismissed as a whole, and the toast takes it back", { tag: "@deep" }, async ({
  page,
}) => {
  // Of a rule that no other file raises: the count is this test's.
  const rule = "task.completed without task.created";
  const count = 2;
  for (let n = 0; n < count; n += 1) await callApi("/sandbox/api/scenarios", { scenario: "task_never_created" });
  await expect.poll(async () => (await openOf("completed_never_created")).length, { timeout: 60_000 }).toBe(count);
  await signIn(page);
  await page.goto("/missing-events");
  const group = page.getByRole("region", { name: rule });
  await expect(group.getByRole("heading", { name: new RegExp(`${rule} ${count}`) })).toBeVisible();
  await group
    .getByRole("button", { name: `Snooze: ${rule}` })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "For 1 day" }).click();
  await expect(page.getByText(`${count} missing events snoozed`)).toBeVisible();
  await expect(group).toBeHidden();
  await page.getByRole("button", { name: "Snoozed", exact: true }).click();
  await expect(page.getByText(/Snoozed by owner@example.com until/).first()).toBeVisible();
  await expectAccessible(page);
  const openAgain = page.getByRole("button", { name: `Open again: ${rule}` });
  for (let left = count; left > 0; left -= 1) {
    await openAgain.first().click();
    await expect(openAgain).toHaveCount(left - 1);
  }
  await page.goto("/missing-events");
  await group.getByRole("button", { name: `Dismiss ${count}: ${rule}` }).click();
  await expect(page.getByText(`${count} missing events dismissed`)).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(group).toBeVisible();
});
