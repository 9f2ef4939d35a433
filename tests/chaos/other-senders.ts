import { createHmac } from "node:crypto";
import type { Installation } from "./installation.ts";

/** Sources of other senders, as each run has them beside the platform's. Their events are named like the platform's and belong to no record. */
export const OTHER_SENDERS = [
  { name: "chaos-stripe", template: "stripe", secret: "whsec_the-secret-of-stripe-in-the-chaos-run" },
  { name: "chaos-github", template: "github", secret: "the-secret-of-github-in-the-chaos-run" },
] as const;
export type OtherSender = (typeof OTHER_SENDERS)[number];

/** Adds them to an installation, or finds that another one on its database has. */
export async function addOtherSenders({ url, apiKey }: Pick<Installation, "url" | "apiKey">): Promise<void> {
  for (const sender of OTHER_SENDERS) {
    const answer = await fetch(`${url}/api/v1/sources`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(sender),
    });
    if (answer.status !== 201 && answer.status !== 409) throw new Error(`the source ${sender.name} was not added: ${await answer.text()}`);
  }
}

const hmac = (secret: string, content: string | Buffer) => createHmac("sha256", secret).update(content).digest("hex");

/** Returns what a sender sends beside a body, signed now, without the product's own code. */
export function headersOf({ template, secret }: OtherSender, eventId: string, type: string, body: string | Buffer): Record<string, string> {
  if (template === "github")
    return { "x-hub-signature-256": `sha256=${hmac(secret, body)}`, "x-github-delivery": eventId, "x-github-event": type };
  const seconds = Math.floor(Date.now() / 1000);
  return { "stripe-signature": `t=${seconds},v1=${hmac(secret, Buffer.concat([Buffer.from(`${seconds}.`), Buffer.from(body)]))}` };
}
