import type { Page } from "@playwright/test";
import { INSTALLATION } from "./support/installation.ts";
import { postSigned, signBody } from "./support/post-webhook.ts";
import { callApi, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

// A quarantined request shows why, and is released once it verifies: a scenario of one
// source whose secret was entered wrongly.
test.describe.configure({ mode: "serial" });
test.beforeEach(({ page }) => signIn(page));

// Other files sign with the secret of before. Where it was not replaced, it is refused as the active one.
test.afterAll(async () => {
  const { data } = await callApi<{ data: { id: string; name: string }[] }>("/api/v1/sources");
  const source = data.find(({ name }) => name === "platform");
  await callApi(`/api/v1/sources/${source?.id}/rotate`, { overlapHours: 0, secret: INSTALLATION.webhookSecret }).catch(() => undefined);
});

const PLATFORMS = "what the platform really signs with";

const eventBody = (id: string) =>
  `{"id":"${id}","type":"document.uploaded","created":1760000400,"data":{"documentId":"doc_${id}","fileName":"Angebot für Müller.pdf"}}`;

const post = (body: string, signature: string) => postSigned(body, { signature });

/** Sends a webhook that is rejected: again where a busy machine answered 401 and kept nothing. */
async function reject(id: string, body: string, signature: string): Promise<void> {
  const kept = async () => (await callApi<{ data: unknown[] }>(`/api/v1/quarantine?q=${id}`)).data.length;
  while ((await kept()) === 0) expect(await post(body, signature)).toBe(401);
}

/** Waits until the worker has diagnosed all: what is said above the list moves it no more. */
const untilDiagnosed = () =>
  expect
    .poll(async () => (await callApi<{ data: { code: string | null }[] }>("/api/v1/quarantine/diagnoses")).data.map(({ code }) => code), {
      timeout: 60_000,
    })
    .not.toContain(null);

/** Opens the newest refused request of a verdict from the list. */
async function openQuarantined(page: Page, verdict: RegExp): Promise<void> {
  await page.goto("/quarantine");
  await page.getByRole("link", { name: verdict }).first().click();
  await expect(page.getByRole("heading", { name: "Quarantined request" })).toBeVisible();
}

test("a wrongly signed webhook shows its verdict, its fix and the evidence", async ({ page }) => {
  const body = eventBody("evt_prefixed");
  await reject("evt_prefixed", body, `sha256=${signBody(body)}`);
  const echoed = eventBody("evt_echoed");
  await reject("evt_echoed", echoed, signBody(echoed, `${INSTALLATION.webhookSecret}\n`));
  const pretty = JSON.stringify(JSON.parse(eventBody("evt_pretty")), null, 2);
  await reject("evt_pretty", JSON.stringify(JSON.parse(pretty)), signBody(pretty));
  await untilDiagnosed();
  await openQuarantined(page, /has a prefix: sha256=/);
  await expect(page.getByText("Send the HMAC-SHA256 of the raw body as exactly 64 hexadecimal digits.")).toBeVisible();
  await expect(page.getByText("Claimed type")).toBeVisible();
  await expect(page.getByText("document doc_evt_prefixed")).toBeVisible();
  await expect(page.getByText("It verifies now.")).toBeVisible(); // what lies under the prefix
  await openQuarantined(page, /a trailing line break/);
  await openQuarantined(page, /re-serialized; it was signed indented by two spaces/);
});

test("with the right secret, all that verify are released, and those that don't stay", async ({ page }) => {
  test.slow(); // a long way through three pages
  for (const id of ["evt_late_1", "evt_late_2", "evt_late_3"]) await reject(id, eventBody(id), signBody(eventBody(id), PLATFORMS));
  await untilDiagnosed();
  await openQuarantined(page, /does not match the body/);
  await page.getByRole("link", { name: "Set the secret" }).click();

  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "The sender's secret" }).fill(PLATFORMS);
  await dialog.getByRole("combobox", { name: "Accept the old secret for" }).click();
  await page.getByRole("option", { name: /1 hour/ }).click();
  await dialog.getByRole("button", { name: "Set secret" }).click();
  await expect(dialog.getByText(/The old secret stops working/)).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Retiring")).toBeVisible();
  await expect.poll(() => post(eventBody("evt_new_secret"), signBody(eventBody("evt_new_secret"), PLATFORMS))).toBe(200);
  expect(await post(eventBody("evt_old_secret"), signBody(eventBody("evt_old_secret")))).toBe(200);

  await page.goto("/quarantine");
  await expect(page.getByText("Verifies now").first()).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  const verifying = page.getByRole("listitem").filter({ hasText: "Signed with a secret that is accepted now" });
  await expect(verifying.getByRole("button", { name: "Release 3" })).toBeVisible();
  await page.getByRole("button", { name: "Re-verify all" }).click();
  await expect(dialog.getByText(/^3 requests can be released\./)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Release 3" }).click();
  await expect(dialog.getByText("3 requests released. Their events are in the log.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  // Opened again, the window counts anew: what it released the last time is forgotten.
  await page.getByRole("button", { name: "Re-verify all" }).click();
  await expect(dialog.getByText("None can be released.")).toBeVisible();
  await page.goto("/events/evt_late_2");
  await expect(page.getByText("Processed", { exact: true }).first()).toBeVisible({ timeout: 60_000 });
});

test("quarantine is searched and narrowed by time, with the same count on the causes and on the buttons", { tag: "@deep" }, async ({
  page,
}) => {
  for (const id of ["evt_find_1", "evt_find_2"]) await reject(id, eventBody(id), signBody(eventBody(id), "unknown"));
  await page.goto("/quarantine");
  await page.getByRole("searchbox", { name: "Search" }).fill("evt_find_");
  await expect(page.getByRole("heading", { name: "2 requests in quarantine that match, by diagnosis" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Dismiss 2 filtered" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Re-verify 2 filtered" })).toBeVisible();
  await expect(page).toHaveURL(/q=evt_find_/);
  const expected = page.locator("dd mark").first();
  await page
    .getByRole("link", { name: /does not match the body/ })
    .first()
    .click();
  await expect(page.getByText("Received signature")).toBeVisible();
  await expect(expected).toHaveAttribute("title", /Differs from digit \d/);
  await page.goBack();
  await page.getByRole("searchbox", { name: "Received from IP" }).fill("203.0.113.0/24");
  await expect(page.getByText("Try another search, reason, source, IP address or time.")).toBeVisible();
  await page.goto("/quarantine?q=evt_find_&to=2020-01-01T00:00:00Z");
  await expect(page.getByText("Try another search, reason, source, IP address or time.")).toBeVisible();
  await page.goto("/quarantine?q=evt_find_");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("button", { name: "Any time" }).press("Enter");
  await page.getByLabel("From", { exact: true }).fill("2020-01-01T00:00:00");
  await page.getByRole("button", { name: "Set time range" }).press("Enter");
  await expect(page).toHaveURL(/from=20/);
  expect(asked.filter((url) => /from=(?!20)/.test(url))).toEqual([]);
  await expect(page.getByRole("button", { name: /^from .*2020/ })).toBeVisible();
  await page.getByRole("button", { name: "Dismiss 2 filtered" }).click();
  await expect(page.getByText("2 requests dismissed")).toBeVisible();
});

test("quarantine can be emptied: one request or all are dismissed, and the toast takes it back", { tag: "@deep" }, async ({ page }) => {
  await openQuarantined(page, /a trailing line break/);
  await page.getByRole("button", { name: "Dismiss", exact: true }).click();
  await expect(page.getByText("1 request dismissed")).toBeVisible();
  await expect(page.getByText("Dismissed by")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Dismiss", exact: true })).toBeVisible();

  await expect(page.getByText("401 Unauthorized")).toBeVisible();
  await expect(page.getByText("POST /webhooks/platform")).toBeVisible();
  await page.getByRole("button", { name: "Hex" }).click();
  await expect(page.getByText(/00000000 {2}7b 22 69 64.*\{"id":"evt_echoe/)).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  expect(file.suggestedFilename()).toMatch(/^qtn_.*\.bin$/);
  await page.goto("/quarantine");
  const total = /^([\d,]+) requests? in quarantine, by diagnosis$/.exec(
    await page.getByRole("heading", { name: /by diagnosis/ }).innerText(),
  )?.[1];
  await expect(page.getByRole("link", { name: /^Quarantine/ }).first()).toContainText(total ?? "none");
  await page.getByRole("button", { name: "Dismiss all" }).click();
  await expect(page.getByText("Quarantine is empty")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(page.getByRole("link", { name: /trailing line break/ }).first()).toBeVisible();
  await page.getByRole("button", { name: "Dismiss all" }).click();
  await expect(page.getByText("Quarantine is empty")).toBeVisible();
  await page.getByRole("search").getByRole("button", { name: "Dismissed" }).click();
  await expect(page.getByRole("link", { name: /trailing line break/ }).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto("/");
  await expect(page.getByText(/quarantined requests? looks? like/)).toHaveCount(0);
});
