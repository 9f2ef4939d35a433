import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";

/** Begins a connection of that name, as somebody who is signed in, and stops at the platform's permission dialog. */
export async function openDialog(page: Page, name: string): Promise<void> {
  await page.goto("/connections");
  await page.getByRole("button", { name: "Connect an account" }).first().click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Continue to the platform" }).click();
  await expect(page).toHaveURL(/\/sandbox\/oauth\/authorize/);
}

/** Approves, with the platform going wrong in that way. */
export async function approve(page: Page, misbehaving?: string): Promise<void> {
  if (misbehaving) {
    await page.getByText("Simulate faults").click();
    await page.getByText(misbehaving, { exact: true }).click();
  }
  await page.getByRole("button", { name: "Approve" }).click();
}
