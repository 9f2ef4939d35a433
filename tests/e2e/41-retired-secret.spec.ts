import type { Page } from "@playwright/test";
import { archiveAddedSources } from "./support/installation-database.ts";
import { fillInstallation } from "./support/many-events.ts";
import { MATRIX } from "./support/matrix.ts";
import { postSigned } from "./support/post-webhook.ts";
import { addRetiredSource, type RetiredSource, refuseMany } from "./support/retired-source.ts";
import { callApi, signIn } from "./support/session.ts";
import { countClicks, expect, expectAccessible, test } from "./support/watched-page.ts";

// A sender signs on with a secret that was replaced: from the overview's sentence to a log with its events.
test.describe.configure({ mode: "serial" });
test.afterAll(archiveAddedSources);

const REFUSED = 1200;
const REJECTED = 1860;
const MAX_CLICKS = 4;
const MAX_SECONDS = 120;

type Groups = { data: { source: string; code: string | null; count: number }[] };

/** Waits until the worker has looked at all of a source's requests. */
const untilDiagnosed = (source: string, requests: number) =>
  expect
    .poll(
      async () =>
        (await callApi<Groups>(`/api/v1/quarantine/diagnoses?source=${source}`)).data.map(({ code, count }) => `${count} ${code}`),
      { timeout: 240_000 }, // a fifth of a core, and less of a busy one
    )
    .toEqual([`${requests} secret_retired`]);

const post = ({ name, sign }: RetiredSource, id: string) => {
  const body = JSON.stringify({ id, type: "document.uploaded", created: 1_760_000_000, data: { documentId: `doc_${id}` } });
  return postSigned(body, { signature: sign(body), source: name });
};

const groupOf = (page: Page, { name }: RetiredSource) =>
  page.getByRole("listitem").filter({ hasText: "Signed with the retired secret" }).filter({ hasText: name });

let source: RetiredSource;

test("1,200 requests signed with a retired secret: from the overview to their events in four clicks", { tag: "@deep" }, async ({
  page,
}) => {
  test.slow();
  await fillInstallation();
  source = await addRetiredSource("invoices-eu");
  expect(await post(source, "evt_before")).toBe(401);
  await callApi("/api/v1/quarantine/dismissals", { filter: {} }); // what other files left
  await refuseMany(source, REFUSED, REJECTED);
  await untilDiagnosed(source.name, REFUSED);
  const clicks = await countClicks(page);
  await signIn(page);
  await page.goto("/");
  const started = Date.now();

  // The sentence may stand below a worse one.
  const sentence = /1,200 requests signed with the retired secret sec_\S+ are in quarantine\./;
  const place = page.locator("header, li").filter({ hasText: sentence });
  await place.getByRole("link", { name: "View quarantine" }).click();

  const group = groupOf(page, source);
  await expect(group).toContainText("1,860 requests to invoices-eu were rejected in this time, 1,200 kept");
  await group.getByRole("button", { name: "Accept it again for 24 h and release 1,200" }).click();

  const dialog = page.getByRole("dialog", { name: /^Accept sec_/ });
  await expect(dialog.getByText("1,200 requests can be released.")).toBeVisible();
  await expect(dialog.getByText(/Whoever holds sec_\S+ can send events to invoices-eu for 24 hours/)).toBeVisible();
  await expectAccessible(page, ["light", "dark"]);
  await dialog.getByRole("button", { name: "Accept for 24 h and release 1,200" }).click();

  await expect(dialog.getByRole("progressbar")).toBeVisible();
  await expect(dialog.getByText("1,200 requests released. Their events are in the log.")).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page, ["light", "dark"]);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(group).toBeHidden();
  const seconds = (Date.now() - started) / 1000;
  test.info().annotations.push({ type: "figure", description: `${clicks()} clicks, ${seconds.toFixed(1)} s` });
  expect(clicks()).toBe(MAX_CLICKS);
  if (MATRIX.all) expect(seconds).toBeLessThan(MAX_SECONDS);
  expect(await post(source, "evt_meanwhile")).toBe(200);
});

test("the way back: the secret that was accepted again is ended in the settings", { tag: "@deep" }, async ({ page }) => {
  await signIn(page);
  await page.goto("/settings/sources");
  await page.getByRole("button", { name: /^End (now: )?sec_/ }).click();
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: /^End (now: )?sec_/ })
    .click();
  await expect(page.getByText(/^Ended sec_/)).toBeVisible();
  await expect.poll(() => post(source, "evt_after")).toBe(401);
});
