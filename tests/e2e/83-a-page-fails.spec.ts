import { queryInstallation } from "./support/installation-database.ts";
import { signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

// 441: the page failed on the server. 419: its place in the layout was given up; which of the two comes first depends on what had been sent.
test.use({ expectedErrors: [/Minified React error #(441|419)/] });

const away = () => queryInstallation("ALTER TABLE invitations RENAME TO invitations_away");
const back = () => queryInstallation("ALTER TABLE IF EXISTS invitations_away RENAME TO invitations");

test.afterEach(async () => void (await back()));

test("a page that can't be read says so within its frame, and trying again brings it once it can be", async ({ page }) => {
  await signIn(page);
  await away();
  // Not until it is whole: the part that failed may be left over at the end of the body, hidden, when the notice stands in its place.
  await page.goto("/settings/members", { waitUntil: "commit" });
  await expect(page.getByText(/Internal error. The database answers. The receiver stores incoming events./)).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expectAccessible(page);
  // The router commits the answer, here the failure, as a navigation to the same page.
  const answered = page.waitForEvent("framenavigated");
  await page.getByRole("button", { name: "Try again" }).click();
  await answered;
  await expect(page.getByText(/Internal error/)).toBeVisible();
  await back();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
});
