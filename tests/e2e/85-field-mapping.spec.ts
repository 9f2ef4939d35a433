import { postSigned } from "./support/post-webhook.ts";
import { callApi, sendEvent, signIn, untilFailed } from "./support/session.ts";
import { expect, expectAccessible, narrowToPhone, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

// A second try begins without the mapping of the first.
test.beforeAll(async () => void (await setMapping({})));

/** @returns what the change says */
async function setMapping(mapping: Record<string, string[]>): Promise<{ releasable: number }> {
  const { data } = await callApi<{ data: { id: string; name: string }[] }>("/api/v1/sources");
  const source = data.find(({ name }) => name === "platform");
  return callApi(`/api/v1/sources/${source?.id}/field-mapping`, { mapping }, "PUT");
}

const post = (payload: unknown) => postSigned(JSON.stringify(payload));

const uploaded = (id: string) => ({
  id: `evt_map_${id}`,
  type: "document.uploaded",
  created: 1_760_000_500,
  data: { attachment: { ref: `doc_map_${id}`, caption: `Mapped ${id}.pdf` } },
});

type Issues = { data: { id: string; type: string; state: string; failing: number }[] };

test("an ID under another name: from the issue to the mapping, the preview, and the failed events delivered again", async ({ page }) => {
  for (const id of ["one", "two"]) expect(await post(uploaded(id))).toBe(200);
  const issueOf = async () =>
    (await callApi<Issues>("/api/v1/issues?limit=200")).data.find(({ type, state }) => type === "document.uploaded" && state === "open");
  await expect.poll(async () => (await issueOf())?.failing ?? 0, { timeout: 60_000 }).toBe(2);
  await page.goto(`/issues/${(await issueOf())?.id}`);
  await expect(page.getByText(/map that path in Settings > Field mapping/)).toBeVisible();
  await page.getByRole("link", { name: "Map fields" }).click();
  await expect(page).toHaveURL(/settings\/field-mapping\?issue=iss_/);
  const suggested = page.getByRole("list", { name: "Suggested paths" });
  await expect(suggested).toContainText("data.attachment.ref looks like the document ID in 2 of 2 failed events");
  await expect(page.getByLabel("Payload path of Document ID")).toHaveValue("attachment.ref");
  const preview = page.getByRole("table", { name: "Failed events" });
  await expect(page.getByText(/^2 of 2 failed events would be applied/)).toBeVisible({ timeout: 60_000 });

  // A wrong path is seen before it is saved.
  await page.getByLabel("Payload path of Document ID").fill("attachment.nothing");
  await expect(page.getByText(/^0 of 2 failed events would be applied/)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Save and re-deliver/ })).toBeHidden();
  await page.getByLabel("Payload path of Document ID").fill("attachment.ref");
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByRole("combobox", { name: "Field 2" }).click();
  await page.getByRole("option", { name: "Document name" }).click();
  await page.getByLabel("Payload path of Document name").fill("attachment.caption");
  await expect(preview.getByText("doc_map_two")).toBeVisible();
  await expect(preview.getByText("Mapped two.pdf")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save and re-deliver 2 events" }).click();
  const dialog = page.getByRole("dialog", { name: "Re-deliver 2 events" });
  await expect(dialog.getByText(/^2 would change, .* 0 still fail$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Re-deliver 2 events" }).click();
  await expect(dialog.getByText("2 of 2 applied")).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText(/New events are read with this mapping/)).toBeVisible();
  await expectAccessible(page);

  await page.goto("/redeliveries");
  await page.getByRole("link", { name: "After a change of the field mapping" }).first().click();
  const outcomes = page.getByRole("table", { name: /^Events of this re-delivery/ });
  await expect(outcomes.getByText("Applied")).toHaveCount(2);
  await page.getByRole("search").getByRole("button", { name: "Failed" }).click();
  await expect(outcomes.getByText("Applied")).toHaveCount(0);
  await page.goto("/documents/doc_map_one");
  await expect(page.getByRole("heading", { level: 1, name: "Mapped one.pdf" })).toBeVisible();
  await page.goto("/settings/audit");
  await expect(page.getByText("Changed a field mapping").first()).toBeVisible();
});

test("a payload without an envelope leaves quarantine once its parts are mapped", { tag: "@deep" }, async ({ page }) => {
  expect(await post({ event_id: "evt_flat", kind: "document.uploaded", at: "2026-05-01T10:00:00Z", documentId: "doc_flat" })).toBe(202);
  await page.goto("/quarantine");
  await page
    .getByRole("link", { name: /invalid event/ })
    .first()
    .click();
  await page.getByRole("link", { name: "Field mapping", exact: true }).first().click();
  await expect(page.getByRole("table", { name: "Quarantined requests" })).toContainText("Not an event");
  await narrowToPhone(page);
  await expectAccessible(page, ["light"]);
  const mapping = {
    "event.id": ["event_id"],
    "event.type": ["kind"],
    "event.created": ["at"],
    "event.data": ["$"],
    documentId: ["attachment.ref"],
    documentName: ["attachment.caption"],
  };
  expect(await setMapping(mapping)).toMatchObject({ releasable: 1 });
  await page.reload();
  await expect(page.getByText("Can be released")).toBeVisible();
});

test("a re-delivery of one event names it, opens to why it failed, and is not called done", { tag: "@deep" }, async ({ page }) => {
  await setMapping({}); // with that of the test before, an event's own ID would be the task's
  const id = await sendEvent({ type: "task.completed", data: { taskId: null } });
  await untilFailed(id);
  await callApi(`/api/v1/events/${encodeURIComponent(id)}/redeliver`, {});
  await page.goto("/redeliveries");
  const row = page
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: `Task completed ${id}` }) })
    .first();
  await expect(row.getByText("Failed", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(row.getByText("Done", { exact: true })).toBeHidden();
  await row.getByRole("link", { name: `Task completed ${id}` }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Task completed ${id}` })).toBeVisible();
  await expect(page.getByText(/has no task ID/)).toBeVisible();
  await page.goto("/events");
  await expect(page.getByRole("button", { name: "Re-deliver filtered events" })).toHaveAttribute("aria-disabled", "true");
  await page.goto("/events?state=failed");
  await expect(page.getByRole("button", { name: "Re-deliver filtered events" })).not.toHaveAttribute("aria-disabled", "true");
});
