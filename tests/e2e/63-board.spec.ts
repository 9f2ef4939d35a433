import { callApi, sendEvent, signIn } from "./support/session.ts";
import { expect, expectAccessible, narrowToPhone, test } from "./support/watched-page.ts";

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
  await signIn(page);
  await page.goto(`/pipelines/${PIPELINE}`);
  const inbox = page.getByRole("region", { name: "Stage Inbox" });
  await expect(inbox).toContainText("20 of 24");
  await inbox.getByRole("button", { name: "Show more" }).press("Enter");
  await expect(inbox.getByRole("listitem")).toHaveCount(24);
  await expect(inbox.getByRole("listitem").nth(20).getByRole("link")).toBeFocused();
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
