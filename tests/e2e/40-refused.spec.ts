import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { baseUrl, INSTALLATION } from "./support/installation.ts";
import { callApi, signIn } from "./support/session.ts";
import { expect, expectAccessible, narrowToPhone, test } from "./support/watched-page.ts";

// What was refused says why, and gets in once it verifies: a story of one
// source whose secret was entered wrongly.
test.describe.configure({ mode: "serial" });

const PLATFORMS = "what the platform really signs with";

const eventBody = (id: string) =>
  `{"id":"${id}","type":"document.uploaded","created":1760000400,"data":{"documentId":"doc_${id}","fileName":"Angebot für Müller.pdf"}}`;

const sign = (body: string, secret: string) => createHmac("sha256", secret).update(body).digest("hex");

async function post(body: string, signature: string): Promise<number> {
  const headers = { "content-type": "application/json", "x-webhook-signature": signature };
  return (await fetch(`${baseUrl()}/webhooks/platform`, { method: "POST", body, headers })).status;
}

/** Opens the newest refused request of a verdict from the list. */
async function openRefused(page: Page, verdict: RegExp): Promise<void> {
  await page.goto("/refused");
  await page.getByRole("link", { name: verdict }).first().click();
  await expect(page.getByRole("heading", { name: "Refused request" })).toBeVisible();
}

test("a wrongly signed webhook shows its verdict, its mend and what they rest on", async ({ page }) => {
  const body = eventBody("evt_prefixed");
  expect(await post(body, `sha256=${sign(body, INSTALLATION.webhookSecret)}`)).toBe(401);
  const echoed = eventBody("evt_echoed");
  expect(await post(echoed, sign(echoed, `${INSTALLATION.webhookSecret}\n`))).toBe(401);
  const pretty = JSON.stringify(JSON.parse(eventBody("evt_pretty")), null, 2);
  expect(await post(JSON.stringify(JSON.parse(pretty)), sign(pretty, INSTALLATION.webhookSecret))).toBe(401);
  await signIn(page);
  await openRefused(page, /wrapped in a scheme: sha256=/);
  await expect(page.getByText("Send the HMAC-SHA256 of the raw body as 64 hexadecimal digits and nothing else.")).toBeVisible();
  await expect(page.getByText("It verifies now.")).toBeVisible(); // what lies under the prefix
  await openRefused(page, /a line break at its end/);
  await expectAccessible(page);
  await openRefused(page, /written again; it was signed indented by two spaces/);
});

test("with the secret set right, all that verify are admitted, and those that don't stay", async ({ page }) => {
  test.slow(); // a long way through three pages
  for (const id of ["evt_late_1", "evt_late_2", "evt_late_3"]) {
    expect(await post(eventBody(id), sign(eventBody(id), PLATFORMS))).toBe(401);
  }
  await signIn(page);
  await openRefused(page, /does not match the body/);
  await page.getByRole("link", { name: "Sources and secrets" }).click();

  await page.getByRole("button", { name: "Rotate the secret" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "New secret" }).click();
  await page.getByRole("option", { name: /Enter the platform's/ }).click();
  await dialog.getByLabel("The platform's secret").fill(PLATFORMS);
  await dialog.getByRole("combobox", { name: "Accept the old secret for" }).click();
  await page.getByRole("option", { name: /1 hour/ }).click();
  await dialog.getByRole("button", { name: "Set the secret" }).click();
  await expect(dialog.getByText(/The old secret stops working/)).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Retiring")).toBeVisible();
  await expect.poll(() => post(eventBody("evt_new_secret"), sign(eventBody("evt_new_secret"), PLATFORMS))).toBe(200);
  expect(await post(eventBody("evt_old_secret"), sign(eventBody("evt_old_secret"), INSTALLATION.webhookSecret))).toBe(200);

  await page.goto("/refused");
  await expect(page.getByText("Verifies now").first()).toBeVisible({ timeout: 15_000 });
  await expectAccessible(page);
  await page.getByRole("button", { name: "Re-verify all" }).click();
  await expect(dialog.getByText(/^3 requests verify now\./)).toBeVisible();
  await expect(dialog.getByText(/still do not/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Admit 3" }).click();
  await expect(dialog.getByText("3 requests admitted. Their events are in the log.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("Admitted", { exact: true }).first()).toBeVisible();
  await page.goto("/events/evt_late_2");
  await expect(page.getByText("Processed", { exact: true }).first()).toBeVisible({ timeout: 15_000 });
});

test("a webhook signed with a secret that was rotated away is told so", async ({ page }) => {
  const { data } = await callApi<{ data: { id: string; name: string }[] }>("/api/v1/sources");
  const source = data.find(({ name }) => name === "platform");
  await callApi(`/api/v1/sources/${source?.id}/rotate`, { overlapHours: 0, secret: INSTALLATION.webhookSecret });
  const body = eventBody("evt_retired");
  await expect.poll(() => post(body, sign(body, PLATFORMS))).toBe(401);
  await signIn(page);
  await openRefused(page, /Signed with the retired secret sec_/);
  await expect(page.getByText("Retired at")).toBeVisible();
  await narrowToPhone(page);
  await expectAccessible(page, ["light"]);
});
