import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { untilTaken } from "#tests/support/impatient-sender";
import { sign } from "#tests/support/webhooks";
import { baseUrl, INSTALLATION } from "./installation.ts";
import { callApi } from "./session.ts";

/** Returns the platform's signature of a body. */
export const signBody = (body: string, secret = INSTALLATION.webhookSecret): string => sign(body, secret);

/** Sends a webhook as a sender does: again while a busy machine answers 503. @returns the status of the answer */
export async function postWebhook(url: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string>): Promise<number> {
  const sent = { "content-type": "application/json", ...headers };
  return (await untilTaken(() => fetch(url, { method: "POST", body, headers: sent }))).status;
}

/** The same as the platform signs it, to a source of its kind. */
export const postSigned = (body: string, { signature = signBody(body), source = "platform", headers = {} } = {}): Promise<number> =>
  postWebhook(`${baseUrl()}/webhooks/${source}`, body, { "x-webhook-signature": signature, ...headers });

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
