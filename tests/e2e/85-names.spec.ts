import { callApi, firstOf, signIn } from "./support/session.ts";
import { expect, expectAccessibleOnPhone, test } from "./support/watched-page.ts";

const at = Math.floor(Date.now() / 1000) - 600;
const ids = { documentId: `doc_names_${at}`, taskId: `task_names_${at}`, pipelineId: "pipe_names" };

test("documents, tasks and pipelines show by their names, and a document's page tells its story", { tag: "@deep" }, async ({ page }) => {
  await signIn(page);
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
  const name = page.locator("td [title]").getByText("Approve invoice", { exact: true }).first();
  await expect(name).toBeVisible();
  await expect(name).toHaveAttribute("title", new RegExp(taskId));
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
