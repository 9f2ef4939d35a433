import { callApi, firstOf, sendEvent, signIn, tellScenario, untilState } from "./support/session.ts";
import { expect, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

const LONG = "An extraordinarily long name that nobody would give ".repeat(6).slice(0, 300);

test("cards of a board move while it is open, and every stage has its plot", async ({ page }) => {
  const ids = { taskId: `task_board_${Date.now()}`, pipelineId: "pipe_moving", pipelineName: "Moving" };
  await callApi("/sandbox/api/events", { type: "task.created", data: { ...ids, title: "Move me", stage: "Inbox" } });
  await expect.poll(async () => (await callApi<{ data: unknown[] }>("/api/v1/tasks?parent=pipe_moving")).data.length).toBeGreaterThan(0);
  await page.goto("/pipelines/pipe_moving");
  const inbox = page.getByRole("region", { name: "Stage Inbox" });
  await expect(inbox.getByText("Move me").first()).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 1100)); // the platform's clock has seconds
  await callApi("/sandbox/api/events", { type: "pipeline.stage_changed", data: { ...ids, fromStage: "Inbox", toStage: "Review" } });
  await expect(page.getByRole("region", { name: "Stage Review" }).getByText("Move me").first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("img", { name: /entered$/ }).first()).toBeVisible();
});

test("a row of tasks stays where it is while it has the focus: a new one comes last, and first afterwards", { tag: "@deep" }, async ({
  page,
}) => {
  await tellScenario("document_to_done");
  await page.goto("/tasks");
  const rows = page.getByRole("row");
  const first = rows.nth(1).getByRole("link").first();
  const before = await first.getAttribute("href");
  await first.focus();
  const id = await sendEvent({ type: "task.created", data: { taskId: "task_while_reading", title: "While reading" } });
  await untilState(id, "processed");
  await expect(rows.last()).toContainText("While reading");
  expect(await first.getAttribute("href")).toBe(before);
  await first.blur();
  await expect(rows.nth(1)).toContainText("While reading");
});

test("the filters of tasks are in the URL: an assignee from the table, failures of documents, a search", async ({ page }) => {
  await tellScenario("document_to_done");
  await tellScenario("document_fails");
  await page.goto("/tasks");
  await page.locator('a[href^="/tasks?assignee="]').first().click();
  await expect(page).toHaveURL(/assignee=/);
  await expect(page.getByRole("button", { name: /Remove filter Assignee/ })).toBeVisible();
  await page.goto("/documents");
  await page.getByLabel("Failed only").click();
  await expect(page).toHaveURL(/failed=true/);
  await expect(page.getByText("Error").first()).toBeVisible();
  await page.goto("/tasks?q=nothing-is-called-that");
  await expect(page.getByText(/No tasks match/i)).toBeVisible();
});

test("odd data is shown as it is: no stage, a stage of 300 characters, a name of 300 characters", { tag: "@deep" }, async ({ page }) => {
  const pipelineId = "pipe_odd_pages";
  await callApi("/sandbox/api/events", { type: "task.created", data: { taskId: "task_odd_1", pipelineId, title: LONG } });
  await callApi("/sandbox/api/events", { type: "task.created", data: { taskId: "task_odd_2", pipelineId, stage: LONG } });
  await callApi("/sandbox/api/events", { type: "document.uploaded", data: { documentId: "doc_odd_pages", fileName: LONG } });
  await expect
    .poll(async () => (await callApi<{ data: unknown[] }>(`/api/v1/tasks?parent=${pipelineId}`)).data.length, { timeout: 60_000 })
    .toBe(2);
  await page.goto(`/pipelines/${pipelineId}`);
  await expect(page.getByRole("region", { name: "Stage No stage" })).toBeVisible();
  for (const address of [`/pipelines/${pipelineId}`, "/tasks/task_odd_1", "/documents/doc_odd_pages", "/tasks", "/documents"]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
          message: `${address} at ${width}`,
        })
        .toBeLessThanOrEqual(0);
    }
  }
});

test("in every table a time tells the exact moment on hover, a click on it opens its row, and an icon copies an id", {
  tag: "@deep",
}, async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await callApi("/sandbox/api/events", { type: "document.uploaded", data: { documentId: "doc_of_row_hygiene" } });
  await firstOf("/api/v1/documents?q=doc_of_row_hygiene");
  await firstOf("/api/v1/events?q=doc_of_row_hygiene"); // found a moment later
  const exact = /\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d\.\d{3} /;

  await page.goto("/events?q=doc_of_row_hygiene");
  const received = page.locator("[data-event] time").first();
  await received.hover();
  await expect(received).toHaveAttribute("title", exact);
  await received.click();
  await expect(page).toHaveURL(/event=evt_|\/events\/evt_/);

  await page.goto("/documents?q=doc_of_row_hygiene");
  const changed = page.getByRole("row").nth(1).locator("time");
  await changed.hover();
  await expect(changed).toHaveAttribute("title", exact);
  const said = page.getByRole("status").filter({ hasText: "Copied" }).waitFor(); // for 1.5 s
  await page.getByRole("row").nth(1).getByRole("button", { name: "Copy doc_of_row_hygiene" }).click();
  await said;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("doc_of_row_hygiene");
  await page.getByRole("row").nth(1).locator("time").click();
  await expect(page).toHaveURL(/\/documents\/doc_of_row_hygiene/);
});

test("the tab's title says the record's name and how much waits for a person, and its icon shows that", { tag: "@deep" }, async ({
  page,
}) => {
  await callApi("/sandbox/api/events", { type: "document.uploaded", data: { documentId: "doc_titled", fileName: "Titled.pdf" } });
  await sendEvent({ type: "pipeline.stage_changed", data: { documentId: "doc_titled", taskId: null, toStage: "Review" } });
  type Counts = { openIssues: number };
  await expect.poll(async () => (await callApi<Counts>("/api/v1/overview/counts")).openIssues, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(() => callApi("/api/v1/documents/doc_titled").catch(() => null), { timeout: 60_000 }).not.toBeNull();
  await page.goto("/documents/doc_titled");
  await expect(page).toHaveTitle(/^\(\d+\+?\) Titled\.pdf · document · Signalbox$/);
  await expect(page.locator("link[rel=icon][type='image/svg+xml']").last()).toHaveAttribute("href", "/icon-attention.svg");
  await page.getByRole("link", { name: "Tasks", exact: true }).first().click();
  await expect(page).toHaveTitle(/^\(\d+\+?\) Tasks · Signalbox$/);
});
