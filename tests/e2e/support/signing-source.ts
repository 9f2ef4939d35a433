import { createHmac, randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { baseUrl } from "./installation.ts";
import { callApi } from "./session.ts";

type SignedEvent = { id: string; type: string; created: number; data: unknown };

/** Adds a source of the platform's kind, so that what other files left is no part of what it sends. @returns what sends a signed event of it */
export async function addSigningSource(name: string): Promise<(event: SignedEvent) => Promise<void>> {
  const secret = `secret-${randomUUID()}`;
  await callApi("/api/v1/sources", { name, template: "platform", secret });
  return async (event) => {
    const body = JSON.stringify(event);
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-webhook-signature": signature };
    expect((await fetch(`${baseUrl()}/webhooks/${name}`, { method: "POST", body, headers })).status).toBe(200);
  };
}
