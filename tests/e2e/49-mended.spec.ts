import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { countClicks } from "./support/clicks.ts";
import { approve, openDialog } from "./support/connect.ts";
import { archiveAddedSources, queryInstallation } from "./support/installation-database.ts";
import { callApi, signIn } from "./support/session.ts";
import { addSigningSource } from "./support/signing-source.ts";
import { expect, expectAccessible, expectAccessibleToo, narrowToPhone, test } from "./support/watched-page.ts";

// From the overview's sentence to the mended state, each step one click: what is primary on each page is what helps.
test.describe.configure({ mode: "serial" });
test.afterAll(archiveAddedSources);

const HEARTBEATS = 24;

const answerWith = (answer: string) => callApi("/sandbox/api/receiving-app", { answer }, "PUT");

/** A line of the overview, or its headline where it is the worst. */
const lineOf = (page: Page, sentence: string) => page.locator("header, li").filter({ hasText: sentence });

test("a dead destination: resumed in three clicks once its application answers again, also by keys", { tag: "@deep" }, async ({ page }) => {
  await signIn(page);
  await page.goto("/sandbox/receiving-app");
  await page.getByRole("button", { name: "Create destination" }).click();
  await expect(page.getByText("Events are sent here from now on:")).toBeVisible();
  const { data } = await callApi<{ data: { id: string; name: string }[] }>("/api/v1/destinations");
  const { id, name } = data.find((each) => each.name.startsWith("Sandbox receiving app")) ?? { id: "", name: "" };
  const state = async () => (await callApi<{ state: string }>(`/api/v1/destinations/${id}`)).state;
  /** The application is gone, and then it answers again. @returns the overview's way to it */
  const suspend = async () => {
    await answerWith("gone");
    await callApi("/sandbox/api/events", { type: "document.processed" });
    await expect.poll(state, { timeout: 60_000 }).toBe("suspended");
    await answerWith("ok");
    await page.goto("/");
    return lineOf(page, `Nothing reaches ${name}: the destination is suspended.`).getByRole("link", { name: "View destination" });
  };
  const steps = [
    page.getByRole("button", { name: "Resume", exact: true }),
    page.getByRole("dialog").getByRole("button", { name: /^Resume/ }),
  ];

  const clicks = await countClicks(page);
  await (await suspend()).click();
  await expectAccessible(page, ["light", "dark"]);
  for (const step of steps) await step.click();
  await expect.poll(state, { timeout: 60_000 }).toBe("active");
  expect(clicks()).toBe(3);

  for (const step of [await suspend(), ...steps]) {
    await step.focus();
    await page.keyboard.press("Enter");
  }
  await expect.poll(state, { timeout: 60_000 }).toBe("active");
  await callApi(`/api/v1/destinations/${id}`, undefined, "DELETE");
});

test("a revoked connection: reconnected in three clicks, the platform's own among them, also by keys", { tag: "@deep" }, async ({
  page,
}) => {
  await signIn(page);
  await openDialog(page, "Revoked account");
  await approve(page);
  await expect(page.getByText("Connected Revoked account")).toBeVisible();
  const clicks = await countClicks(page);
  const revoke = async () => {
    await callApi("/sandbox/api/revocations", {});
    const connections = await callApi<{ data: { id: string; name: string }[] }>("/api/v1/connections");
    const { id = "" } = connections.data.find((each) => each.name === "Revoked account") ?? {};
    await callApi(`/api/v1/connections/${id}/refresh`, {}).catch(() => undefined); // the platform refuses it
    await page.goto("/");
    return lineOf(page, "Revoked account needs to be reconnected.").getByRole("link", { name: "Reconnect" });
  };
  await (await revoke()).click();
  await expectAccessible(page, ["light", "dark"]);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Connected Revoked account")).toBeVisible();
  expect(clicks()).toBe(3);

  const link = await revoke();
  await link.focus();
  await page.keyboard.press("Enter");
  const again = page.getByRole("button", { name: "Reconnect" });
  await again.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Connected Revoked account")).toBeVisible();
  await expect(lineOf(page, "Revoked account needs to be reconnected.")).toBeHidden();
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
  await signIn(page);
  const clicks = await countClicks(page);
  await page.goto("/");
  const sentence = `${name} has sent nothing for much longer than usual.`;
  await lineOf(page, sentence).getByRole("link", { name: "View silent source" }).click();
  await expectAccessible(page, ["light", "dark"]);
  await page.getByRole("listitem").filter({ hasText: name }).getByRole("link", { name: "Check the source" }).click();
  await expect(page.getByText(`/webhooks/${name}`)).toBeVisible();
  expect(clicks()).toBe(2);
  await narrowToPhone(page);
  await expectAccessibleToo(page);
  await sendAgain();
  await expect.poll(silent, { timeout: 120_000 }).toBe(0);
  await page.goto("/");
  await expect(lineOf(page, sentence)).toBeHidden();
});
