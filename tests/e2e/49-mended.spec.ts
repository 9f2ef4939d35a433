import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { archiveAddedSources, queryInstallation } from "./support/installation-database.ts";
import { addSigningSource } from "./support/post-webhook.ts";
import { approve, callApi, openDialog, signIn } from "./support/session.ts";
import { countClicks, expect, expectAccessible, narrowToPhone, test } from "./support/watched-page.ts";

// From the overview's sentence to the mended state, each step one click: what is primary on each page is what helps.
test.describe.configure({ mode: "serial" });
test.beforeEach(({ page }) => signIn(page));

test.afterAll(archiveAddedSources);

const HEARTBEATS = 24;

const answerWith = (answer: string) => callApi("/sandbox/api/receiving-app", { answer }, "PUT");

/** A line of the overview, or its headline where it is the worst. */
const lineOf = (page: Page, sentence: string) => page.locator("header, li").filter({ hasText: sentence });

test("a dead destination: resumed in three clicks once its application answers again", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/sandbox/receiving-app");
  await page.getByRole("button", { name: "Create destination" }).click();
  await expect(page.getByText("Events are sent here from now on:")).toBeVisible();
  const { data } = await callApi<{ data: { id: string; name: string }[] }>("/api/v1/destinations");
  const { id, name } = data.find((each) => each.name.startsWith("Sandbox receiving app")) ?? { id: "", name: "" };
  const state = async () => (await callApi<{ state: string }>(`/api/v1/destinations/${id}`)).state;
  // The application is gone, and then it answers again.
  await answerWith("gone");
  await callApi("/sandbox/api/events", { type: "document.processed" });
  await expect.poll(state, { timeout: 60_000 }).toBe("suspended");
  await answerWith("ok");
  const clicks = await countClicks(page);
  await page.goto("/");
  await lineOf(page, `Nothing reaches ${name}: the destination is suspended.`).getByRole("link", { name: "View destination" }).click();
  await expectAccessible(page, ["light", "dark"]);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Resume/ })
    .click();
  await expect.poll(state, { timeout: 60_000 }).toBe("active");
  expect(clicks()).toBe(3);
  await callApi(`/api/v1/destinations/${id}`, undefined, "DELETE");
});

test("a revoked connection: reconnected in three clicks, the platform's own among them", { tag: "@deep" }, async ({ page }) => {
  await openDialog(page, "Revoked account");
  await approve(page);
  await expect(page.getByText("Connected Revoked account")).toBeVisible();
  await callApi("/sandbox/api/revocations", {});
  const connections = await callApi<{ data: { id: string; name: string }[] }>("/api/v1/connections");
  const { id = "" } = connections.data.find((each) => each.name === "Revoked account") ?? {};
  await callApi(`/api/v1/connections/${id}/refresh`, {}).catch(() => undefined); // the platform refuses it
  const clicks = await countClicks(page);
  await page.goto("/");
  const line = lineOf(page, "Revoked account needs to be reconnected.");
  await line.getByRole("link", { name: "Reconnect" }).click();
  await expectAccessible(page, ["light", "dark"]);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Connected Revoked account")).toBeVisible();
  expect(clicks()).toBe(3);
  await page.goto("/");
  await expect(line).toBeHidden();
});

/** A sender of its own, whose last regular event was 40 minutes ago. @returns what sends one more, created now */
async function addSilentSource(name: string): Promise<() => Promise<void>> {
  const send = await addSigningSource(name);
  const post = (minutesAgo: number) => {
    const created = Math.floor(Date.now() / 1000) - minutesAgo * 60;
    return send({ id: `${name}_${minutesAgo}`, type: "document.uploaded", created, data: { documentId: `doc_${minutesAgo}` } });
  };
  for (let beat = HEARTBEATS; beat > 0; beat -= 1) await post(40 + 3 * beat);
  // Time that passes since the last arrival, once it is noted.
  const sourceOf = "source_id = (SELECT id FROM sources WHERE name = $1)";
  const noted = () => queryInstallation(`SELECT 1 FROM source_cadences WHERE ${sourceOf} AND cardinality(times) = ${HEARTBEATS}`, [name]);
  await expect.poll(async () => (await noted()).length, { timeout: 60_000 }).toBe(1);
  await queryInstallation(`UPDATE source_cadences SET last_received_at = last_received_at - interval '40 minutes' WHERE ${sourceOf}`, [
    name,
  ]);
  return () => post(0);
}

test("a silent source: two clicks to what its sender needs, and the line goes when it sends again", { tag: "@deep" }, async ({ page }) => {
  test.slow();
  const name = `quiet-${randomUUID().slice(0, 8)}`;
  const sendAgain = await addSilentSource(name);
  type Missing = { data: { resource: { kind: string; id: string; name?: string } }[] };
  const silent = async () => (await callApi<Missing>(`/api/v1/missing-events?rule=source_silent&source=${name}`)).data.length;
  await expect.poll(silent, { timeout: 120_000 }).toBe(1);
  const clicks = await countClicks(page);
  await page.goto("/");
  const sentence = `${name} has sent nothing for much longer than usual.`;
  await lineOf(page, sentence).getByRole("link", { name: "View silent source" }).click();
  await expect(page).toHaveTitle(/Missing events/); // it comes after the page
  await expectAccessible(page, ["light", "dark"]);
  await page.getByRole("listitem").filter({ hasText: name }).getByRole("link", { name: "Check the source" }).click();
  await expect(page.getByText(`/webhooks/${name}`)).toBeVisible();
  expect(clicks()).toBe(2);
  await narrowToPhone(page);
  await sendAgain();
  await expect.poll(silent, { timeout: 120_000 }).toBe(0);
  await page.goto("/");
  await expect(lineOf(page, sentence)).toBeHidden();
});
