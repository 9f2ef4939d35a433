import { callApi, firstOf, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

const LONG = "An extraordinarily long name that nobody would give ".repeat(6).slice(0, 300);

test("cards of a board move while it is open, and every stage has its plot", async ({ page }) => {
  await signIn(page);
  const ids = { taskId: `task_board_${Date.now()}`, pipelineId: "pipe_moving", pipelineName: "Moving" };
  await callApi("/sandbox/api/events", { type: "task.created", data: { ...ids, title: "Move me", stage: "Inbox" } });
  await expect.poll(async () => (await callApi<{ data: unknown[] }>("/api/v1/tasks?parent=pipe_moving")).data.length).toBeGreaterThan(0);
  await page.goto("/pipelines/pipe_moving");
  const inbox = page.getByRole("region", { name: "Stage Inbox" });
  await expect(inbox.getByText("Move me").first()).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 1100)); // the platform's clock has seconds
  await callApi("/sandbox/api/events", { type: "pipeline.stage_changed", data: { ...ids, fromStage: "Inbox", toStage: "Review" } });
  await expect(page.getByRole("region", { name: "Stage Review" }).getByText("Move me").first()).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("img", { name: /came in the last 24 hours/ }).first()).toBeVisible();
  await expectAccessible(page);
});

test("the filters of tasks stand in the address: an assignee from the table, failures of documents, a search", async ({ page }) => {
  await signIn(page);
  await callApi("/sandbox/api/stories", { story: "document_to_done", pace: 0 });
  await callApi("/sandbox/api/stories", { story: "document_fails", pace: 0 });
  await firstOf("/api/v1/documents?failed=true");
  await expect
    .poll(async () => (await callApi<{ data: { fields: object }[] }>("/api/v1/tasks")).data.some(({ fields }) => "assignee" in fields))
    .toBe(true);
  await page.goto("/tasks");
  await page.locator('a[href^="/tasks?assignee="]').first().click();
  await expect(page).toHaveURL(/assignee=/);
  await expect(page.getByRole("button", { name: /Remove the filter With/ })).toBeVisible();
  await page.goto("/documents");
  await page.getByLabel("Failed only").click();
  await expect(page).toHaveURL(/failed=true/);
  await expect(page.getByText("Error").first()).toBeVisible();
  await page.goto("/tasks?q=nothing-is-called-that");
  await expect(page.getByText(/No tasks match/i)).toBeVisible();
});

test("odd data is shown as it is: no stage, a stage of 300 characters, a name of 300 characters", async ({ page }) => {
  await signIn(page);
  const pipelineId = "pipe_odd_pages";
  await callApi("/sandbox/api/events", { type: "task.created", data: { taskId: "task_odd_1", pipelineId, title: LONG } });
  await callApi("/sandbox/api/events", { type: "task.created", data: { taskId: "task_odd_2", pipelineId, stage: LONG } });
  await callApi("/sandbox/api/events", { type: "document.uploaded", data: { documentId: "doc_odd_pages", fileName: LONG } });
  await expect
    .poll(async () => (await callApi<{ data: unknown[] }>(`/api/v1/tasks?parent=${pipelineId}`)).data.length, { timeout: 15_000 })
    .toBe(2);
  await page.goto(`/pipelines/${pipelineId}`);
  await expect(page.getByRole("region", { name: "Stage No stage named" })).toBeVisible();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const address of [`/pipelines/${pipelineId}`, "/tasks/task_odd_1", "/documents/doc_odd_pages", "/tasks", "/documents"]) {
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
          message: `${address} at ${width}`,
        })
        .toBeLessThanOrEqual(0);
    }
  }
});

test("an integration shows its health over time, an automation its runs with their duration and failure rate", async ({ page }) => {
  await signIn(page);
  await callApi("/sandbox/api/stories", { story: "integration_life", pace: 0 });
  await callApi("/sandbox/api/stories", { story: "automation_run", pace: 0 });
  await page.goto(`/integrations/${(await firstOf("/api/v1/integrations")).id}`);
  await expect(page.getByRole("heading", { name: "Health over time" })).toBeVisible();
  await page.goto(`/automations/${(await firstOf("/api/v1/automations")).id}`);
  await expect(page.getByText("Failure rate")).toBeVisible();
});
