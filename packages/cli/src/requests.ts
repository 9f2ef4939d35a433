import { createHmac, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import type { ListenedEvent } from "../../../lib/contracts/events/listeners.ts";
import { isLeftBehind } from "../../../lib/contracts/http-headers.ts";
import type { Source } from "../../../lib/contracts/sources/sources.ts";
import { reSign, type SourceSender, whyNotReSigned } from "../../../lib/platform/schemes/sender-requests.ts";
import { schemeOf } from "../../../lib/platform/schemes/templates.ts";
import { SIGNATURE_HEADER } from "../../../lib/platform/signature.ts";
import type { Api } from "./api-client.ts";
import { bodyOf } from "./events.ts";
import { usageError } from "./exit.ts";
import { configFolder, readSecretFile, writeOwnFile } from "./settings.ts";
import type { Output } from "./terminal.ts";

export type Webhook = Pick<ListenedEvent, "id" | "source" | "receivedAt" | "headers" | "raw" | "rawBase64" | "redeliveryId">;
/** `url`: where it is sent, if the signature is in there. */
export type Request = { body: Buffer; headers: Record<string, string>; url?: string };
export type MakeRequest = (webhook: Webhook, target: URL) => Request;

export type SigningOptions = { passThrough?: boolean; signed?: boolean; reSign?: boolean; secretFile?: string };

/** `signed` is the platform's signature, `re_sign` that of the source's sender. */
type Signing = { mode: "pass_through" } | { mode: "signed" | "re_sign"; secret: string };

/** @throws CliError for options that don't go together */
export function readSigning({ passThrough, signed, reSign, secretFile }: SigningOptions, output: Output): Signing {
  if ([passThrough, signed, reSign].filter(Boolean).length > 1) throw usageError("Choose one of --pass-through, --signed and --re-sign.");
  if (reSign && !secretFile)
    throw usageError("--re-sign needs --secret-file.", "Give it a file with the signing secret that your app verifies with.");
  if (secretFile && !signed && !reSign) throw usageError("--secret-file needs --signed or --re-sign.");
  if (!signed && !reSign) return { mode: "pass_through" };
  return { mode: reSign ? "re_sign" : "signed", secret: signingSecret(secretFile, output) };
}

function signingSecret(file: string | undefined, output: Output): string {
  if (file !== undefined) return readSecretFile(file, "signing secret");
  const own = path.join(configFolder(), "signing-secret");
  if (!existsSync(own)) writeOwnFile(own, `${randomBytes(32).toString("hex")}\n`);
  output.note(`Signed with the secret in ${own}: give it to your app as the webhook secret.`);
  return readSecretFile(own, "signing secret");
}

/** How senders sign, by the names of their sources. */
type Senders = ReadonlyMap<string, SourceSender>;

/** Passed through, events need them for a warning only: there they may be missing. */
export async function findSenders(api: Api, { mode }: Signing): Promise<Senders> {
  try {
    const { data } = await api.get<{ data: Source[] }>("/api/v1/sources");
    return new Map(data.map(({ name, template, scheme, reading }) => [name, { template, scheme, reading }]));
  } catch (error) {
    if (mode === "re_sign") throw error;
    return new Map();
  }
}

/** Returns how a stored webhook is sent again: the exact body, its headers, and the sender's signature, a new one of its kind, or the platform's. */
export function requestMaker(signing: Signing, senders: Senders, output: Output): MakeRequest {
  const warnOnce = onceEach(output.warn);
  const staleness = new Staleness();
  return (webhook, target) => {
    const { id, source, redeliveryId } = webhook;
    const body = bodyOf(webhook);
    const sender = senders.get(source);
    // Responses are shown and compared as received, so they must not be compressed.
    const headers: Record<string, string> = { "content-type": "application/json", "accept-encoding": "identity" };
    for (const [name, value] of Object.entries(webhook.headers)) if (!isLeftBehind(name)) headers[name.toLowerCase()] = value;
    headers["x-signalbox-event-id"] = headerText(id);
    if (redeliveryId) headers["x-signalbox-redelivery"] = redeliveryId;
    if (signing.mode === "signed") headers[SIGNATURE_HEADER] = createHmac("sha256", signing.secret).update(body).digest("hex");
    if (signing.mode === "pass_through" && sender && staleness.isStale(webhook, sender, body))
      warnOnce(
        source,
        `Events of ${source} were signed too long ago for an app that checks the time. To sign them anew: --re-sign --secret-file FILE`,
      );
    if (signing.mode !== "re_sign") return { body, headers };
    const why = sender ? whyNotReSigned(sender) : "the source is not known.";
    if (!sender || why !== null) {
      warnOnce(source, `Events of ${source} are sent with the signature that they came with: ${why}`);
      return { body, headers };
    }
    const { origin, pathname, search } = target;
    const url = `${origin}${pathname}${search}`; // as the app sees it
    const signed = reSign(sender, { body, url, headers, secrets: [signing.secret], id, now: new Date() });
    return { body: Buffer.from(signed.body), headers: { ...headers, ...signed.headers }, ...(signed.url !== url && { url: signed.url }) };
  };
}

/** A platform's ID may contain characters that a header can't carry. */
const headerText = (text: string) => encodeURIComponent(text).replaceAll("%3A", ":");

function onceEach(warn: (text: string) => void): (about: string, text: string) => void {
  const warned = new Set<string>();
  return (about, text) => {
    if (!warned.has(about)) warn(text);
    warned.add(about);
  };
}

/** Younger signatures are accepted by every sender's library. Milliseconds. */
const FRESH_MS = 60_000;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
const STAND_IN = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

/** Finds signatures that are out of date by the scheme: one made with another secret at that time would be, too. */
class Staleness {
  /** Sources that need no other look: of one event it is known, or their signatures have no time. */
  private readonly known = new Set<string>();

  isStale(webhook: Webhook, sender: SourceSender, body: Buffer): boolean {
    const now = Date.now();
    if (this.known.has(webhook.source) || !(now - Date.parse(webhook.receivedAt) > FRESH_MS)) return false;
    const stale = isOutOfDate(webhook, sender, body, now);
    if (stale || !isOutOfDate(webhook, sender, body, now + TEN_YEARS_MS)) this.known.add(webhook.source);
    return stale;
  }
}

function isOutOfDate({ id, receivedAt, headers }: Webhook, { template, scheme }: SourceSender, body: Buffer, now: number): boolean {
  const { sign, verify } = schemeOf(template, scheme);
  const [url, value] = ["https://app.example/", STAND_IN];
  const proof = sign({ body, secret: value, url, id, now: new Date(receivedAt), received: headers });
  const checked = verify({ body, headers: { ...headers, ...proof }, url, remoteAddress: null }, [{ id: "", value }], now);
  return checked.outcome === "signature_expired" || (checked.outcome === "verified" && checked.form === "signed_late");
}
