import type { Page } from "@playwright/test";
import { callApi, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

// Views through time: a record and a board at a past moment, two moments
// beside one another.

type Record = { state: string; fields: { [field: string]: { value: unknown; eventId: string } } };

const task = { taskId: "task_time", pipelineId: "pipe_time" };
const STORY = [
  ["task.created", { ...task, title: "Check the invoice of time", pipelineName: "Time", stage: "Inbox" }],
  ["task.assigned", { ...task, assignee: "Ada" }],
  ["pipeline.stage_changed", { ...task, fromStage: "Inbox", toStage: "Review" }],
] as const;

/** Sends the story, a second and more between its events, and waits until it is applied. */
async function tell(): Promise<void> {
  for (const [type, data] of STORY) {
    await callApi("/sandbox/api/events", { type, data, fault: null });
    await new Promise((resolve) => setTimeout(resolve, 1200));
  }
  await expect.poll(async () => (await callApi<Record>("/api/v1/tasks/task_time").catch(() => null))?.fields.stage?.value).toBe("Review");
}

/** Where the facts, not the timeline, show it. */
const fact = (page: Page, name: string, value: string) =>
  page
    .locator("dl > div")
    .filter({ hasText: new RegExp(`^${name}`) })
    .filter({ hasText: value })
    .first();

test.describe
  .serial("views through time", () => {
    test("a task goes back in time by keyboard, keeps its moment in the address, and returns to now", async ({ page }) => {
      await tell();
      await signIn(page);
      await page.goto("/tasks/task_time");
      await expect(fact(page, "Stage", "Review")).toBeVisible();
      const slider = page.getByRole("slider", { name: "As of" });
      await slider.focus();
      await slider.press("ArrowLeft");
      await slider.press("ArrowLeft");
      await expect(slider).toHaveAttribute("aria-valuetext", /Task assigned/);
      await expect(page).toHaveURL(/asOf=/);
      await expect(page.getByText("as the events created up to then make it")).toBeVisible();
      await expect(fact(page, "Stage", "Inbox")).toBeVisible();
      await expectAccessible(page);
      await page.reload();
      await expect(fact(page, "Stage", "Inbox")).toBeVisible();
      await page.getByRole("button", { name: "As of: the moment before" }).click();
      await expect(fact(page, "Assignee", "Ada")).toHaveCount(0);
      await page.getByRole("button", { name: "Back to now" }).click();
      await expect(fact(page, "Stage", "Review")).toBeVisible();
      await expect(page).not.toHaveURL(/asOf=/);
    });

    test("two moments of a task stand side by side, each change with the event that made it", async ({ page }) => {
      await signIn(page);
      await page.goto("/tasks/task_time");
      await page.getByRole("button", { name: "Compare two moments" }).click();
      const changes = page
        .locator("section")
        .filter({ has: page.getByRole("heading", { name: "What changed" }) })
        .last();
      const stage = changes.getByRole("listitem").filter({ hasText: "Inbox" }).first();
      await expect(stage).toContainText("Review");
      await expect(stage).toContainText("Stage changed");
      await expect(stage.getByRole("link")).toHaveAttribute("href", /\/events\/evt_/);
      await expectAccessible(page);
      await page.getByRole("button", { name: "End the comparison" }).click();
      await expect(changes).toHaveCount(0);
    });

    test("a board shows where its cards stood then, and what has moved since", async ({ page }) => {
      await signIn(page);
      await page.goto("/pipelines/pipe_time");
      const column = (name: string) => page.getByRole("region", { name: `Stage ${name}` });
      await expect(column("Review")).toContainText("Check the invoice of time");
      const slider = page.getByRole("slider", { name: "As of" });
      await slider.press("Home");
      await expect(column("Inbox")).toContainText("Check the invoice of time");
      await expect(column("Review")).toHaveCount(0);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Back to now" }).click();
      await page.getByRole("button", { name: "Compare two moments" }).click();
      const moved = page.getByRole("list", { name: "Cards that changed" }).getByRole("listitem");
      await expect(moved).toContainText(/Check the invoice of time\s*Inbox\s*Review/);
    });
  });
