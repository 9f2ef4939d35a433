import { INSTALLATION } from "./support/installation.ts";
import { callApi, firstOf, signIn } from "./support/session.ts";
import { expect, expectAccessible, narrowToPhone, test } from "./support/watched-page.ts";

// The call with a wrong key.
test.use({ expectedErrors: [/401/] });

test("an operation is found by its words, shown in three languages, and runs with my key: what reads at once, what changes after asking", async ({
  page,
}) => {
  await signIn(page);
  await callApi("/sandbox/api/events", { type: "document.processed" });
  const { id } = await firstOf("/api/v1/events");
  await page.goto("/api-reference");
  const search = page.getByRole("searchbox", { name: "Search operations" });
  await search.fill("events/{id} get");
  await expect(page.getByRole("link", { name: "List members" })).toHaveCount(0);
  await search.press("Enter");
  await expect(page).toHaveURL(/api-reference\/getEventsById$/);
  const request = page.getByRole("region", { name: "Request" });
  await expect(request.getByText("curl '")).toBeVisible();
  await request.getByRole("button", { name: "Python" }).click();
  await expect(request.getByText("from urllib.request import")).toBeVisible();
  await request.getByRole("button", { name: "TypeScript" }).click();
  await expect(request.getByText("await fetch(")).toBeVisible();

  // Each parameter says what it means, beside the button that runs the call.
  await expect(request.getByText("The ID of the event, from its list.")).toBeVisible();

  // Reads at once, with the key alone: the page's own session is left out.
  await request.getByLabel("id", { exact: true }).fill(id);
  await expect(request.getByText(`/api/v1/events/${id}`)).toBeVisible();
  await request.getByLabel("API key").fill("sbx_not-a-key");
  await request.getByRole("button", { name: "Run GET" }).click();
  await expect(request.locator("[data-answer-status]")).toHaveText("401");
  await request.getByLabel("API key").fill(INSTALLATION.apiKey);
  await request.getByRole("button", { name: "Run GET" }).click();
  await expect(request.locator("[data-answer-status]")).toHaveText("200");
  await expect(request.getByRole("status")).toContainText(`"id": "${id}"`);
  await expectAccessible(page);

  // Changes after asking, with the rights of the session.
  await search.fill("saved-filters post");
  await search.press("Enter");
  await expect(page).toHaveURL(/postSavedFilters$/);
  const posts: string[] = [];
  page.on("request", (sent) => sent.method() === "POST" && posts.push(sent.url()));
  await request.getByRole("button", { name: "Run POST" }).click();
  const dialog = page.getByRole("alertdialog", { name: /Run POST \/api\/v1\/saved-filters/ });
  await expectAccessible(page, ["light"]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(posts).toEqual([]);
  await request.getByRole("button", { name: "Run POST" }).click();
  await dialog.getByRole("button", { name: "Run POST" }).click();
  await expect(request.locator("[data-answer-status]")).toHaveText("201");
  await expect(dialog).toBeHidden();
  const created: { id: string } = JSON.parse((await request.getByRole("status").locator("pre").textContent()) ?? "");
  await callApi(`/api/v1/saved-filters/${created.id}`, undefined, "DELETE").catch(() => undefined);
});

test("a schema's fields expand and have a page of their own, and a phone has the list behind a button", { tag: "@deep" }, async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/api-reference/getEvents");
  await page.getByText("Fields of Event", { exact: true }).first().click();
  await expect(page.getByRole("table", { name: "Fields of Event" }).getByRole("rowheader", { name: /receivedAt/ })).toBeVisible();
  await page.getByRole("link", { name: "Problem", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Problem" })).toBeVisible();
  await narrowToPhone(page);
  await page.getByRole("button", { name: "All" }).click();
  await expectAccessible(page);
  await page.getByRole("link", { name: /Count events over time/ }).click();
  await expect(page.getByRole("heading", { name: "Count events over time" })).toBeVisible();
  await expect(page.getByRole("link", { name: /Count events over time/ })).toBeHidden();
});
