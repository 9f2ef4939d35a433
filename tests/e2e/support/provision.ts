import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { approve, openDialog } from "./connect.ts";
import { callApi, firstOf, signIn } from "./session.ts";

/** Brings about one of everything that a page can show, signed in as the owner, and waits until it is there. */
export async function provision(page: Page): Promise<void> {
  await signIn(page);
  await openDialog(page, "Acme production");
  await approve(page);
  await expect(page).toHaveURL(/\/connections\/con_/);
  const destination = await callApi<{ id: string }>("/api/v1/destinations", { name: "Billing", url: "https://app.example.com/webhooks" });
  await callApi(`/api/v1/destinations/${destination.id}/pause`, {});
  for (const scenario of ["document_to_done", "document_fails", "automation_run", "automation_fails", "integration_lifecycle"])
    await callApi("/sandbox/api/scenarios", { scenario, pace: 0 });
  for (const fault of ["missing_ids", "wrong_signature"]) await callApi("/sandbox/api/events", { type: "automation.triggered", fault });
  await callApi("/api/v1/redeliveries", { filter: {}, name: "A name as long as a name of a re-delivery may well become" });
  await callApi("/api/v1/views/rebuilds", { dryRun: true });
  for (const list of [
    "integrations",
    "automations",
    "tasks?state=completed",
    "documents?failed=true",
    "issues",
    "quarantine",
    "deliveries",
  ])
    await firstOf(`/api/v1/${list}`);
}
