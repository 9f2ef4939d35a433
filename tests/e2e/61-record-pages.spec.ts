import { callApi, firstOf, sendEvent, signIn, tellScenario, untilState } from "./support/session.ts";
import { expect, expectAccessible, expectAccessibleOnPhone, narrowToPhone, test } from "./support/watched-page.ts";

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
  const exact = /\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d(\.\d{3})? /;

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

const PIPELINE = "pipe_narrowed";
type Board = { stages: { count: number }[] };

/** 24 tasks in Inbox, every third of them Mara's; the one that is assigned last has waited longest. */
async function fill(): Promise<void> {
  for (let n = 0; n < 24; n += 1) {
    const data = { taskId: `task_narrowed_${n}`, pipelineId: PIPELINE, title: `Contract ${n}`, stage: "Inbox" };
    await callApi("/sandbox/api/events", { type: "task.created", data });
    if (n % 3 === 0) await callApi("/sandbox/api/events", { type: "task.assigned", data: { ...data, assignee: "Mara Board" } });
  }
  await sendEvent({ type: "task.assigned", data: { taskId: "task_narrowed_0", pipelineId: PIPELINE, assignee: "Mara Board" } });
  const counted = () =>
    callApi<Board>(`/api/v1/pipelines/${PIPELINE}/board`).then(
      ({ stages }) => stages[0]?.count,
      () => 0,
    );
  await expect.poll(counted, { timeout: 60_000 }).toBe(24);
  const assigned = () => callApi<Board>(`/api/v1/pipelines/${PIPELINE}/board?assignee=Mara+Board`).then(({ stages }) => stages[0]?.count);
  await expect.poll(assigned, { timeout: 60_000 }).toBe(8);
}

test("a board is narrowed to a search and a person, ordered by who waits longest, and counts one way", async ({ page }) => {
  await fill();
  await page.goto(`/pipelines/${PIPELINE}`);
  const inbox = page.getByRole("region", { name: "Stage Inbox" });
  await expect(inbox).toContainText("20 of 24");
  await inbox.getByRole("button", { name: "Show more" }).press("Enter");
  await expect(inbox.getByRole("listitem")).toHaveCount(24);
  // The first that came, wherever it stands once all assignments have been applied.
  await expect(inbox.getByRole("listitem").getByRole("link").and(page.locator(":focus"))).toHaveCount(1);
  await page.getByRole("button", { name: "Longest waiting first" }).click();
  await expect(page).toHaveURL(/order=waiting/);
  await page.getByRole("button", { name: /^Assignee/ }).click();
  await page.getByRole("menuitemradio", { name: "Mara Board" }).click();
  await expect(inbox.getByRole("listitem")).toHaveCount(8);
  await expectAccessible(page);
  await page
    .getByRole("textbox", { name: "Search this board" })
    .or(page.getByRole("searchbox", { name: "Search this board" }))
    .fill("contract 21");
  await expect(inbox.getByRole("listitem")).toHaveText([/Contract 21/]);
  await page.reload();
  await expect(inbox.getByRole("listitem")).toHaveText([/Contract 21/]);
  await page
    .getByRole("textbox", { name: "Search this board" })
    .or(page.getByRole("searchbox", { name: "Search this board" }))
    .fill("no such task");
  await expect(inbox).toContainText("No matching tasks");
  await narrowToPhone(page);
  await expectAccessible(page);
});

const at = Math.floor(Date.now() / 1000) - 600;
const ids = { documentId: `doc_names_${at}`, taskId: `task_names_${at}`, pipelineId: "pipe_names" };

test("documents, tasks and pipelines show by their names, and a document's page tells its story", { tag: "@deep" }, async ({ page }) => {
  const { documentId, taskId, pipelineId } = ids;
  const send = (type: string, data: object) => callApi("/sandbox/api/events", { type, data });
  await send("document.uploaded", { documentId, fileName: "Invoice of names.pdf" });
  await new Promise((resolve) => setTimeout(resolve, 1100)); // the platform's clock has seconds
  await send("document.processed", { documentId, organizationId: "org_1", status: "completed", metadata: {} });
  await send("task.created", { taskId, documentId, pipelineId, pipelineName: "Names", title: "Approve invoice", stage: "Approval" });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await send("pipeline.stage_changed", { taskId, pipelineId, fromStage: "Approval", toStage: "Paid" });
  await firstOf(`/api/v1/tasks?parent=${pipelineId}&stage=Paid`);

  // The list: the name, its ID on hover and to copy.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/events?resource=${encodeURIComponent(`task:${taskId}`)}`);
  await expect(page.locator(`td [title*="${taskId}"]`).getByText("Approve invoice", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: `Copy ${taskId}` }).first()).toBeAttached();
  await page.goto("/");
  await expect(page.getByText("Approve invoice").first()).toBeVisible();
  await page.goto(`/tasks?parent=${pipelineId}`);
  await expect(page.getByRole("link", { name: "Invoice of names.pdf" })).toBeVisible();
  await expect(page.locator("td").getByRole("link", { name: "Names" }).first()).toBeVisible();

  // The story: a sentence, absolute times, what each event changed, the task's own events too.
  await page.goto(`/documents/${documentId}`);
  await expect(page.locator("[data-story]")).toHaveText(
    /^uploaded \d+ \w+, \d\d:\d\d, processed after (less than 1|\d+) s, became task Approve invoice, moved to Paid (\d+ \w+, )?\d\d:\d\d\.$/,
  );
  const timeline = page.getByRole("list", { name: "Events, newest first" });
  await expect(timeline.getByText("Stage: Approval to Paid")).toBeVisible();
  await expect(timeline.getByText(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d/).first()).toBeVisible();
  await expect(timeline.getByRole("listitem")).toHaveCount(4);
  await expectAccessibleOnPhone(page);
  await expect(page.locator("[data-story]")).toBeVisible();
});
