import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { postSigned, signBody } from "./post-webhook.ts";
import { callApi } from "./session.ts";

type SignedEvent = { id: string; type: string; created: number; data: unknown };

/** Adds a source of the platform's kind, so that what other files left is no part of what it sends. @returns what sends a signed event of it */
export async function addSigningSource(name: string): Promise<(event: SignedEvent) => Promise<void>> {
  const secret = `secret-${randomUUID()}`;
  await callApi("/api/v1/sources", { name, template: "platform", secret });
  return async (event) => {
    const body = JSON.stringify(event);
    expect(await postSigned(body, { signature: signBody(body, secret), source: name })).toBe(200);
  };
}
