import type { Page } from "@playwright/test";
import { callApi, signIn } from "./support/session.ts";
import { expect, expectAccessible, holdBack, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

// Views through time: a record and a board at a past moment, two moments
// beside one another, an event's effects, and the views made anew from the log.

type Listed = { data: { id: string; type: string }[] };
type Record = { state: string; fields: { [field: string]: { value: unknown; eventId: string } } };

const task = { taskId: "task_time", pipelineId: "pipe_time" };
const SCENARIO = [
  ["task.created", { ...task, title: "Check the invoice of time", pipelineName: "Time", stage: "Inbox" }],
  ["task.assigned", { ...task, assignee: "Ada" }],
  ["pipeline.stage_changed", { ...task, fromStage: "Inbox", toStage: "Review" }],
] as const;

/** Sends the scenario, a second and more between its events, and waits until it is applied. */
async function tell(): Promise<void> {
  for (const [type, data] of SCENARIO) {
    await callApi("/sandbox/api/events", { type, data, fault: null });
    await new Promise((resolve) => setTimeout(resolve, 1200));
  }
  await expect.poll(async () => (await callApi<Record>("/api/v1/tasks/task_time").catch(() => null))?.fields.stage?.value).toBe("Review");
}

type Rebuilds = { data: { state: string }[] };

/** Makes the records of events that another file put into the log past the worker (many-events.ts). */
async function rebuildRecords(): Promise<void> {
  await callApi("/api/v1/views/rebuilds", { dryRun: false });
  const latest = async () => (await callApi<Rebuilds>("/api/v1/views/rebuilds")).data[0]?.state;
  await expect.poll(latest, { timeout: 120_000 }).toBe("done");
}

/** Returns where the facts, not the timeline, show it. */
const fact = (page: Page, name: string, value: string) =>
  page
    .locator("dl > div")
    .filter({ hasText: new RegExp(`^${name}`) })
    .filter({ hasText: value })
    .first();

test.describe
  .serial("views through time", () => {
    test("a task goes back in time by keyboard, keeps its moment in the URL, and returns to the latest state", async ({ page }) => {
      await tell();
      await page.goto("/tasks/task_time");
      await expect(fact(page, "Stage", "Review")).toBeVisible();
      const slider = page.getByRole("slider", { name: "As of" });
      await slider.focus();
      await slider.press("ArrowLeft");
      await slider.press("ArrowLeft");
      await expect(slider).toHaveAttribute("aria-valuetext", /Task assigned/);
      await expect(page).toHaveURL(/asOf=/);
      await expect(page.getByText("built from events created up to then")).toBeVisible();
      await expect(fact(page, "Stage", "Inbox")).toBeVisible();
      await page.reload();
      await expect(fact(page, "Stage", "Inbox")).toBeVisible();
      await page.getByRole("button", { name: "As of: previous change" }).click();
      await expect(fact(page, "Assignee", "Ada")).toHaveCount(0);
      await page.getByRole("button", { name: "Back to latest" }).click();
      await expect(fact(page, "Stage", "Review")).toBeVisible();
      await expect(page).not.toHaveURL(/asOf=/);
    });

    test("until a past time has loaded, the page does not say that what it shows is of that time", { tag: "@deep" }, async ({ page }) => {
      await page.goto("/tasks/task_time");
      await expect(fact(page, "Stage", "Review")).toBeVisible();
      const letThrough = await holdBack(page, "**/api/v1/tasks/task_time*");
      await page.getByRole("button", { name: "As of: previous change" }).click();
      await expect(page.getByText("Loading the state as of")).toBeVisible();
      await expect(fact(page, "Stage", "Review")).toBeVisible();
      await expect(page.locator("[aria-busy=true]").filter({ has: fact(page, "Stage", "Review") })).toBeVisible();
      letThrough();
      await expect(page.getByText("built from events created up to then")).toBeVisible();
      await expect(page.getByText("Loading the state as of")).toHaveCount(0);
    });

    test("two moments of a task stand side by side, each change with the event that made it", { tag: "@deep" }, async ({ page }) => {
      await page.goto("/tasks/task_time");
      await page.getByRole("button", { name: "Compare two times" }).click();
      const changes = page
        .locator("section")
        .filter({ has: page.getByRole("heading", { name: "Changes", exact: true }) })
        .last();
      const stage = changes.getByRole("listitem").filter({ hasText: "Inbox" }).first();
      await expect(stage).toContainText("Review");
      await expect(stage).toContainText("Stage changed");
      await expect(stage.getByRole("link")).toHaveAttribute("href", /\/events\/evt_/);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Stop comparing" }).click();
      await expect(changes).toHaveCount(0);
    });

    test("what is chosen while the slider still settles, and what the URL says of other things, stay", { tag: "@deep" }, async ({
      page,
    }) => {
      await page.goto("/tasks/task_time?tab=history");
      const slider = page.getByRole("slider", { name: "As of" });
      await slider.focus();
      await page.evaluate(() => {
        const compare = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Compare two times");
        document.activeElement?.addEventListener("input", () => setTimeout(() => compare?.click(), 20));
      });
      await slider.press("ArrowLeft");
      await expect(page).toHaveURL(/asOf=/);
      await expect(page).toHaveURL(/since=/);
      await expect(page).toHaveURL(/tab=history/);
    });

    test("a board shows where its cards stood then, and what has moved since", { tag: "@deep" }, async ({ page }) => {
      await page.goto("/pipelines/pipe_time");
      const column = (name: string) => page.getByRole("region", { name: `Stage ${name}` });
      await expect(column("Review")).toContainText("Check the invoice of time");
      const slider = page.getByRole("slider", { name: "As of" });
      await slider.press("Home");
      await expect(column("Inbox")).toContainText("Check the invoice of time");
      await expect(column("Review")).toHaveCount(0);
      await page.getByRole("button", { name: "Back to latest" }).click();
      await page.getByRole("button", { name: "Compare two times" }).click();
      const moved = page.getByRole("list", { name: "Changed cards" }).getByRole("listitem");
      await expect(moved).toContainText(/Check the invoice of time\s*Inbox\s*Review/);
    });

    test("an event says what stood before it, what it set, and what has overtaken it", { tag: "@deep" }, async ({ page }) => {
      const [created] = (await callApi<Listed>("/api/v1/events?resource=task:task_time&type=task.created")).data;
      const [moved] = (await callApi<Listed>("/api/v1/events?resource=task:task_time&type=pipeline.stage_changed")).data;
      await page.goto(`/events/${moved?.id}`);
      await page.getByRole("tab", { name: /Effects/ }).click();
      const row = (field: string) =>
        page
          .getByRole("row")
          .filter({ hasText: new RegExp(`^${field}"`) })
          .first();
      await expect(row("stage")).toContainText('"Inbox"');
      await expect(row("stage")).toContainText('"Review"');
      await expect(row("stage")).toContainText("Current");
      await page.goto(`/events/${created?.id}`);
      await page.getByRole("tab", { name: /Effects/ }).click();
      await expect(
        page
          .getByRole("row")
          .filter({ hasText: /^stageNot set/ })
          .first(),
      ).toContainText("replaced by");
    });

    test("records are checked against the log and rebuilt, with progress, and a rebuild can be stopped", { tag: "@deep" }, async ({
      page,
    }) => {
      await rebuildRecords();
      await page.goto("/settings/records");
      await page.getByRole("button", { name: "Check against the log" }).click();
      await expect(page.getByText("Live records match the log")).toBeVisible({ timeout: 60_000 });
      const task = page.getByRole("row").filter({ hasText: /^task/i });
      await expect(task).toContainText("Matches");
      await expectAccessible(page);
      // The page's requests are answered here, so that one long rebuild can be watched.
      const startedAt = new Date(Date.now() - 10_000).toISOString();
      const under = (done: number) => ({
        ...{ id: "reb_1", state: "running", dryRun: false, phase: "folding", done, total: 1000, requestedBy: "owner@example.com" },
        ...{
          createdAt: new Date().toISOString(),
          startedAt,
          finishedAt: null,
          failure: null,
          report: null,
        },
      });
      let [done, asked, stopped] = [100, false, false];
      await page.route("**/api/v1/views/rebuilds", (route) => {
        asked ||= route.request().method() === "POST";
        if (!asked) return route.continue();
        done += 50;
        const rebuild = { ...under(done), ...(stopped ? { state: "stopped", finishedAt: new Date().toISOString() } : {}) };
        return route.fulfill({ json: route.request().method() === "POST" ? rebuild : { data: [rebuild], nextCursor: null } });
      });
      await page.route("**/api/v1/operations/reb_1/stop", (route) => {
        stopped = true;
        const { report: _, dryRun: __, ...rebuild } = under(done);
        return route.fulfill({ json: { ...rebuild, kind: "rebuild", counts: {}, canStop: true, canResume: false } });
      });
      await page.getByRole("button", { name: "Rebuild records" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Rebuild records" }).click();
      await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", /of 1,000 events/);
      await expect(page.getByText(/^[\d,]+ per second, about .* left$/)).toBeVisible();
      await page.getByRole("button", { name: "Stop" }).click();
      await expect(page.getByText("Stopped before it finished. No records were changed.")).toBeVisible();
    });
  });
