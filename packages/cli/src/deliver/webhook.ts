import { createHmac, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import type { ListenedEvent } from "../../../../lib/contracts/events/listeners.ts";
import { SIGNATURE_HEADER } from "../../../../lib/platform/signature.ts";
import { bodyOf } from "../events/show.ts";
import { usageError } from "../output/exit.ts";
import type { Output } from "../output/output.ts";
import { configFolder, readSecretFile, writeOwnFile } from "../settings.ts";
import type { SigningOptions } from "./options.ts";
import type { Request } from "./send.ts";

/** Headers of the original connection, or that we set ourselves. */
const DROPPED =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|accept-encoding|forwarded|x-forwarded-.*|x-real-ip|:.*)$/i;

export type Webhook = Pick<ListenedEvent, "id" | "headers" | "raw" | "rawBase64" | "redeliveryId">;
export type MakeRequest = (webhook: Webhook) => Request;

/** Returns how a stored webhook is sent again: the exact body, its headers, and the platform's signature or a local one (`--signed`). */
export function requestMaker(options: SigningOptions, output: Output): MakeRequest {
  if (options.signed && options.passThrough) throw usageError("Choose one of --signed and --pass-through.");
  if (options.secretFile && !options.signed) throw usageError("--secret-file needs --signed.");
  const secret = options.signed ? signingSecret(options.secretFile, output) : null;
  return (webhook) => {
    const body = bodyOf(webhook);
    // Responses are shown and compared as received, so they must not be compressed.
    const headers: Record<string, string> = { "content-type": "application/json", "accept-encoding": "identity" };
    for (const [name, value] of Object.entries(webhook.headers)) if (!DROPPED.test(name)) headers[name.toLowerCase()] = value;
    headers["x-signalbox-event-id"] = headerText(webhook.id);
    if (webhook.redeliveryId) headers["x-signalbox-redelivery"] = webhook.redeliveryId;
    if (secret !== null) headers[SIGNATURE_HEADER] = createHmac("sha256", secret).update(body).digest("hex");
    return { body, headers };
  };
}

/** A platform's ID may contain characters that a header can't carry. */
const headerText = (text: string) => encodeURIComponent(text).replaceAll("%3A", ":");

function signingSecret(file: string | undefined, output: Output): string {
  if (file !== undefined) return readSecretFile(file, "signing secret");
  const own = path.join(configFolder(), "signing-secret");
  if (!existsSync(own)) writeOwnFile(own, `${randomBytes(32).toString("hex")}\n`);
  output.note(`Signed with the secret in ${own}: give it to your app as the webhook secret.`);
  return readSecretFile(own, "signing secret");
}
