import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { archiveAddedSources, queryInstallation } from "./support/installation-database.ts";
import { fillInstallation } from "./support/many-events.ts";
import { MATRIX } from "./support/matrix.ts";
import { postSigned, signBody } from "./support/post-webhook.ts";
import { callApi, signIn } from "./support/session.ts";
import { countClicks, expect, expectAccessible, test } from "./support/watched-page.ts";

// A sender signs on with a secret that was replaced: from the overview's sentence to a log with its events.
test.describe.configure({ mode: "serial" });
test.afterAll(archiveAddedSources);

const REFUSED = 1200;
const REJECTED = 1860;
const MAX_CLICKS = 4;
const MAX_SECONDS = 120;

/** A source whose sender signs on with a secret that was replaced. */
type RetiredSource = { id: string; name: string; secretId: string; sign: (body: string) => string };

/** Adds a source and replaces its secret at once. */
async function addRetiredSource(name: string): Promise<RetiredSource> {
  const secret = `the first secret of ${name}`;
  type Created = { id: string; secrets: { id: string }[] };
  const { id, secrets } = await callApi<Created>("/api/v1/sources", { name, template: "platform", secret });
  await callApi(`/api/v1/sources/${id}/rotate`, { overlapHours: 0 });
  return { id, name, secretId: secrets[0]?.id ?? "", sign: (body) => signBody(body, secret) };
}

const MINUTES = 6;

/**
 * Requests of the source that were rejected within the last minutes, straight into the installation's database: over
 * HTTP an address is kept 200 a minute. `rejected` counts those that were not kept, too. The last whole minute has none: what
 * the test sent before is counted in it once a minute has passed.
 */
async function refuseMany({ id, sign: signed }: Pick<RetiredSource, "id" | "sign">, kept: number, rejected: number): Promise<void> {
  const run = randomUUID().slice(0, 8);
  const requests = Array.from({ length: kept }, (_, n) => {
    const data = { documentId: `doc_${run}_${n % 400}`, fileName: `Invoice ${n % 400}.pdf` };
    const body = JSON.stringify({ id: `evt_${run}_${n}`, type: "document.uploaded", created: 1_760_000_000 + n, data });
    return [`qtn_${run}_${n}`, body, signed(body)];
  });
  await queryInstallation(
    `WITH place AS (SELECT id, workspace_id FROM sources WHERE id = $1), counted AS (
       INSERT INTO rejection_minutes (source_id, minute, workspace_id, rejected, kept)
       SELECT id, date_trunc('minute', now()) - (m + 1) * interval '1 minute', workspace_id, $4::int / $3, $5::int / $3 FROM place, generate_series(1, $3) m)
     INSERT INTO quarantine (id, workspace_id, source_id, received_at, reason, detail, verified, body, body_bytes, headers, remote_address, reads_as_event)
     SELECT r->>0, workspace_id, id, date_trunc('minute', now()) - (($3 + 1) * interval '1 minute') + (n - 1) * ($3 * interval '1 minute') / $5::int, 'signature_mismatch',
       'The signature does not match the body.', false, convert_to(r->>1, 'UTF8'), octet_length(convert_to(r->>1, 'UTF8')),
       jsonb_build_object('content-type', 'application/json', 'x-webhook-signature', r->>2), '198.51.100.' || 10 + n % 2, true
       FROM place, jsonb_array_elements($2::jsonb) WITH ORDINALITY AS t (r, n)`,
    [id, JSON.stringify(requests), MINUTES, rejected, kept],
  );
}

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
