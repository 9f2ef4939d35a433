import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { earlierEvents, MOVED_EVENTS, movedEvents } from "#tests/support/moved-field";
import { archiveAddedSources } from "./support/installation-database.ts";
import { fillInstallation, MANY } from "./support/many-events.ts";
import { MATRIX } from "./support/matrix.ts";
import { addSigningSource } from "./support/post-webhook.ts";
import { callApi, signIn } from "./support/session.ts";
import { countClicks, expect, test } from "./support/watched-page.ts";

type Event = ReturnType<typeof movedEvents>[number];
type Causes = { data: { title: string; source: { name: string }; failing: number; issues: { id: string }[] }[] };

/** A sender of its own. @returns its name and what sends its events */
async function addSource(): Promise<{ name: string; send: (events: Event[]) => Promise<void> }> {
  const name = `moved-${randomUUID().slice(0, 8)}`;
  const post = await addSigningSource(name);
  const send = async (events: Event[]) => {
    for (let at = 0; at < events.length; at += 10)
      await Promise.all(events.slice(at, at + 10).map(({ eventId, ...event }) => post({ id: `${name}_${eventId}`, ...event })));
  };
  return { name, send };
}

async function causeOf(source: string): Promise<Causes["data"][number] | undefined> {
  return (await callApi<Causes>("/api/v1/issues/causes")).data.find((cause) => cause.source.name === source);
}

/** A field moves at a source. @returns its name */
async function moveField(): Promise<string> {
  const { name, send } = await addSource();
  await send(earlierEvents());
  await send(movedEvents());
  // An issue of another file's events of the same type counts those too.
  await expect.poll(async () => (await causeOf(name))?.failing ?? 0, { timeout: 90_000 }).toBeGreaterThanOrEqual(MOVED_EVENTS);
  return name;
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: `Re-deliver ${MOVED_EVENTS} events` });
const expectMended = (source: string) => expect.poll(async () => (await causeOf(source)) ?? null, { timeout: 60_000 }).toBe(null);

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(400_000);
  await fillInstallation();
});
test.afterAll(archiveAddedSources);

test(`a field moved: ${MOVED_EVENTS} failures of nine types among ${MANY} events are mended from the overview in four clicks`, {
  tag: "@deep",
}, async ({ page }) => {
  const source = await moveField();
  await signIn(page);
  const clicks = await countClicks(page);
  await page.goto("/");
  // The sentence may stand below a worse one, of what other files left.
  const sentence = page.locator("header, li").filter({ hasText: "could not be applied" }).first();
  const began = Date.now();
  await sentence.getByRole("link", { name: "View issues" }).click();
  const cause = page
    .getByRole("list", { name: /^Root causes/ })
    .getByRole("listitem")
    .filter({ hasText: `source ${source}` });
  await expect(cause).toContainText("9 event types have no ID");
  await expect(cause).toContainText(/Document ID \(.*Task ID \(.*Run ID \(.*Integration ID \(/);
  await cause.getByRole("link", { name: "Map fields" }).click();
  const suggested = page.getByRole("list", { name: "Suggested paths" });
  await expect(suggested).toContainText("data.task_ref looks like the task ID in 61 of 61 failed events");
  await expect(page.getByLabel("Payload path of Run ID")).toHaveValue("execution.ref");
  await expect(page.getByText(new RegExp(`^${MOVED_EVENTS} of ${MOVED_EVENTS} failed events would be applied`))).toBeVisible();
  await page.getByRole("button", { name: `Save and re-deliver ${MOVED_EVENTS} events` }).click();
  await expect(dialogOf(page).getByText(/0 still fail$/)).toBeVisible();
  await dialogOf(page)
    .getByRole("button", { name: `Re-deliver ${MOVED_EVENTS} events` })
    .click();
  await expect(dialogOf(page).getByText(`${MOVED_EVENTS} of ${MOVED_EVENTS} applied`)).toBeVisible({ timeout: 90_000 });
  expect(clicks()).toBe(4);
  // In the deep suite, with nothing beside it.
  if (MATRIX.all) expect(Date.now() - began).toBeLessThan(120_000);
  await expectMended(source);
});
