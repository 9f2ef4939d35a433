import { gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { baseUrl, INSTALLATION } from "./support/installation.ts";
import { AGAIN_IF_RESET, callApi, redeliver, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

type Sent = { eventIds: string[] };
type Destinations = { data: { id: string; name: string; state: string }[] };

const answerWith = (behaviour: Record<string, unknown>) => callApi("/sandbox/api/receiving-app", behaviour, "PUT");

/** One event of the sandbox. @returns its id */
async function sendEvent(): Promise<string> {
  const { eventIds } = await callApi<Sent>("/sandbox/api/events", { type: "document.processed" });
  return eventIds[0] ?? "";
}

async function destinationId(): Promise<string> {
  const { data } = await callApi<Destinations>("/api/v1/destinations");
  return data.find(({ name }) => name === "Sandbox receiving app")?.id ?? "";
}

const destination = async () => callApi<{ state: string; pending: number }>(`/api/v1/destinations/${await destinationId()}`);
const stateIs = (state: string) => expect.poll(async () => (await destination()).state, { timeout: 60_000 }).toBe(state);

/** The row of an event among what the receiving app received. */
const received = (page: Page, eventId: string) => page.getByRole("row", { name: new RegExp(`Copy ${eventId}`) }).first();

test.describe.configure({ mode: "serial" });
// A header that is refused at its field.
test.use({ expectedErrors: [/status of 400/] });
test.beforeEach(({ page }) => signIn(page));

test.afterAll(async () => {
  for (const { id, name } of (await callApi<Destinations>("/api/v1/destinations")).data)
    if (name.startsWith("Sandbox receiving app")) await callApi(`/api/v1/destinations/${id}`, undefined, "DELETE");
  await answerWith({ answer: "ok" });
});

test("one click creates a destination to the receiving app, which verifies what arrives and shows it", async ({ page }) => {
  await page.goto("/sandbox");
  await page.getByRole("link", { name: "Receiving app" }).click();
  await expect(page.getByRole("button", { name: "Create destination" })).toBeVisible();
  await page.getByRole("button", { name: "Create destination" }).click();
  await expect(page.getByText("Events are sent here from now on:")).toBeVisible();
  const eventId = await sendEvent();
  await expect(received(page, eventId)).toContainText("200", { timeout: 60_000 });
  await expect(received(page, eventId)).toContainText("Verified");
  await received(page, eventId).getByRole("button", { name: "document.processed" }).click();
  await expect(page.getByRole("dialog")).toContainText("webhook-signature: v1,");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
});

test("the receiving app answers as it is set to: each failure and a suspension show with what to do", async ({ page }) => {
  await page.goto("/sandbox/receiving-app");
  await page.getByLabel("Answer").click();
  await page.getByRole("option", { name: /^Gone/ }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Receiving app's response saved")).toBeVisible();
  const eventId = await sendEvent();
  await expect(received(page, eventId)).toContainText("410", { timeout: 60_000 });
  await stateIs("suspended");
});

test("headers are added, kept, replaced and removed in the form, which never shows a value again", { tag: "@deep" }, async ({ page }) => {
  const id = await destinationId();
  await page.goto(`/destinations/${id}?tab=settings`);
  const edit = async () => {
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Edit settings" }).click();
    return page.getByRole("dialog");
  };
  const names = async () => (await callApi<{ headers: { name: string }[] }>(`/api/v1/destinations/${id}`)).headers.map(({ name }) => name);
  await page.getByRole("button", { name: "Send test event" }).click();
  const tested = page.getByText(/^The test event was not delivered/);
  await expect(tested).toBeVisible();
  const dialog = await edit();
  for (const [index, header] of ["X-Api-Key", "Host"].entries()) {
    await dialog.getByRole("button", { name: "Add header" }).click();
    await dialog.getByLabel(`Name of header ${index + 1}`).fill(header);
    await dialog.getByLabel(`Value of ${header}`).fill("canary-of-the-form");
  }
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByText("Can't be Host, which belongs to the connection")).toBeVisible();
  await dialog.getByRole("button", { name: "Remove Host" }).click();
  await expect(dialog.getByRole("button", { name: "Add header" })).toBeFocused();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("X-Api-Key", { exact: true })).toBeVisible();
  // It was a test of the settings before.
  await expect(tested).toBeHidden();
  await edit();
  await expect(dialog.getByText("Value kept")).toBeVisible();
  expect(await page.content()).not.toContain("canary-of-the-form");
  await dialog.getByRole("button", { name: "Replace the value of X-Api-Key" }).click();
  await expect(dialog.getByLabel("Value of X-Api-Key")).toBeFocused();
  await dialog.getByLabel("Value of X-Api-Key").fill("another");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toBeHidden();
  expect(await names()).toEqual(["X-Api-Key"]);
  await edit();
  await dialog.getByRole("button", { name: "Remove X-Api-Key" }).click();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toBeHidden();
  expect(await names()).toEqual([]);
});

test("skipped deliveries are counted, sent again in the background, and arrive", { tag: "@deep" }, async ({ page }) => {
  const id = await destinationId();
  await answerWith({ answer: "ok" });
  await callApi(`/api/v1/destinations/${id}/resume`, {}); // the tests before left it suspended
  await stateIs("active");
  await callApi(`/api/v1/destinations/${id}/pause`, {});
  const eventIds = [await sendEvent(), await sendEvent(), await sendEvent()];
  await expect.poll(async () => (await destination()).pending, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
  await callApi(`/api/v1/destinations/${id}/resume`, { held: "none" });
  await page.goto(`/destinations/${id}?state=skipped`);
  await page.getByRole("button", { name: "Send skipped again" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("3 deliveries match. Nothing has been sent yet.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Send 3 again" }).click();
  await expect(dialog.getByText("3 are queued again")).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  await dialog.getByText("Close", { exact: true }).click();
  await page.goto("/sandbox/receiving-app");
  for (const eventId of eventIds) await expect(received(page, eventId)).toContainText("200", { timeout: 60_000 });
});

test("an event's steps end with forwarded; its re-delivery asks, and reaches the destination again", { tag: "@deep" }, async ({ page }) => {
  const eventId = await sendEvent();
  await page.goto("/sandbox/receiving-app");
  await expect(received(page, eventId)).toContainText("200", { timeout: 60_000 });
  await page.goto(`/events/${eventId}`);
  // Other tests have destinations, too: one that is paused holds it.
  const { data } = await callApi<{ data: { state: string }[] }>(`/api/v1/deliveries?event=${eventId}`);
  const open = data.flatMap(({ state }) => (["waiting", "retrying", "held"].includes(state) ? state : []));
  const isHeld = open.length > 0 && open.every((state) => state === "held");
  await expect(page.getByRole("list", { name: "Event timeline" }).getByRole("listitem").last()).toContainText(
    isHeld ? "Held" : /Forward(ed|ing)/,
  );
  await page.getByRole("tab", { name: "Delivery" }).click();
  await expect(page.getByRole("table", { name: "Deliveries of this event" })).toContainText("Sandbox receiving app");
  await redeliver(page, { toDestinations: true });
  await page.goto("/sandbox/receiving-app");
  await expect(received(page, eventId)).toContainText("Seen before", { timeout: 60_000 });
});

test("a listener shows under Destinations while it is connected, with the command that makes one", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/destinations");
  const command = page.getByText(/npx \S+\/cli\/signalbox-cli-\S+\.tgz listen http:\/\/localhost:4000/);
  const packed = await page.request.get((await command.textContent())?.match(/http\S+\.tgz/)?.[0] ?? "", AGAIN_IF_RESET);
  expect([packed.status(), gunzipSync(await packed.body()).includes("package/dist/signalbox.js")]).toEqual([200, true]);
  expect((await page.request.get("/cli/signalbox-cli-0.0.0.tgz", AGAIN_IF_RESET)).status()).toBe(404);
  await expect(page.getByText("No listener is connected.")).toBeVisible();
  const leaving = new AbortController();
  const url = `${baseUrl()}/api/v1/listeners/feed?name=ada-laptop&url=${encodeURIComponent("http://localhost:4000/hooks")}`;
  const stream = await fetch(url, { headers: { authorization: `Bearer ${INSTALLATION.apiKey}` }, signal: leaving.signal });
  expect(stream.status).toBe(200);
  await expect(page.getByRole("row").filter({ hasText: "ada-laptop" })).toContainText("http://localhost:4000/hooks", { timeout: 60_000 });
  await expectAccessible(page);
  leaving.abort();
  await expect(page.getByText("No listener is connected.")).toBeVisible({ timeout: 60_000 });
});

test("a destination for invoice.* takes the types of any sender, offered from the log or typed", async ({ page }) => {
  await page.goto("/destinations");
  await page.getByRole("button", { name: "Create destination" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Sandbox receiving app for invoices");
  await dialog.getByLabel("URL").fill("https://app.example.com/invoices");
  const types = dialog.getByRole("textbox", { name: "Search or add event types" });
  await types.fill("invoice.*");
  // What is typed and not added must not become all types.
  await dialog.getByRole("button", { name: "Create destination" }).click();
  await expect(types).toHaveAccessibleDescription("Add this type or empty the field: now it would be all types.");
  await expect(types).toBeFocused();
  await types.press("Enter");
  await expect(types).not.toHaveAttribute("aria-invalid");
  await types.fill("document.");
  await dialog.getByText("document.*", { exact: true }).click();
  await expect(dialog).toContainText(/invoice\.\*, document\.\*: \d+ known types, and new ones that begin so/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create destination" }).click();
  await dialog.getByRole("link", { name: "I've copied it" }).click();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(page.getByText("invoice.*, document.*")).toBeVisible();
});
