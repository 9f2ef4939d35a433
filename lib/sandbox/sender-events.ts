import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { newId } from "#lib/contracts/api/ids";
import type { SenderEventBody, SenderEventSent, SenderFault } from "#lib/contracts/sandbox";
import { type SourceSender, sampleRequest } from "#lib/platform/schemes/sender-requests";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { insertDone } from "./webhooks/deliveries-store.ts";
import { post } from "./webhooks/queue-webhooks.ts";

/** Sends an event over HTTP, as its sender would. The secret that a person entered is not kept. Throws `invalid_request`. */
export async function sendAs(workspaceId: string, sender: SourceSender, asked: SenderEventBody, now: Date): Promise<SenderEventSent> {
  const { APP_URL, WEBHOOK_URL } = env();
  const id = newId("evt_test");
  const requests = senderRequests(asked, { sender, url: `${WEBHOOK_URL}/webhooks/${asked.source}`, id, now });
  const answered: SenderEventSent["requests"] = [];
  for (const { body, headers, query } of requests) {
    const { status, answer } = await post(`${APP_URL}/webhooks/${asked.source}${query}`, Buffer.from(body), headers);
    await insertDone(workspaceId, {
      eventId: eventIdIn(answer) ?? id,
      type: asked.source,
      body,
      fault: asked.fault ?? null,
      status,
      answer,
    });
    answered.push({ status, answer });
  }
  return { requests: answered };
}

/** Finds the event's ID in the receiver's answer: the receiver may have created it. */
const eventIdIn = (answer: string): string | undefined => /^\{"received":true,.*?"id":"([^"\\]+)"/.exec(answer)?.[1];

/** `query`: the sender's addition to the URL, with its `?`. */
type SenderRequest = { body: string; headers: Record<string, string>; query: string };

/** `url` as the sender knows the source. `id` is used once. */
type Sending = { sender: SourceSender; url: string; id: string; now: Date };

const CLOCK_OFF_MS = 600_000;
const DUPLICATES = 3;
/** A valid key both as text and in base64. */
const WRONG_SECRET = `whsec_${Buffer.from("a secret that nobody was given..").toString("base64")}`;

/** Throws `invalid_request` if only the sender can sign, or the fault changes nothing here. */
function senderRequests(asked: SenderEventBody, sending: Sending): SenderRequest[] {
  const { title, scheme } = TEMPLATES[sending.sender.template];
  if (scheme(sending.sender.scheme).onlySenderSigns?.(asked.secret))
    throw new AppError("invalid_request", `source: only ${title} can sign its requests. Send a test event from there.`);
  const fault = asked.fault ?? null;
  const good = requestOf(asked, null, sending);
  if (fault === null) return [good];
  if (fault === "duplicate") return Array.from({ length: DUPLICATES }, () => good);
  const faulty = requestOf(asked, fault, sending);
  if (JSON.stringify(faulty) === JSON.stringify(good))
    throw new AppError("invalid_request", `fault: ${title} does not ${NEEDS[fault]}, so this fault changes nothing.`);
  return [faulty];
}

/** Each fault has no effect unless the sender does this. */
const NEEDS: Record<Exclude<SenderFault, "duplicate">, string> = {
  wrong_signature: "authenticate its requests",
  retired_secret: "authenticate its requests",
  no_signature: "authenticate its requests",
  clock_off: "send a time that is checked",
  re_encoded: "send this body",
  wrong_url: "sign the URL",
  malformed: "send this body",
};

function requestOf(asked: SenderEventBody, fault: SenderFault | null, { sender, url, id, now: sentAt }: Sending): SenderRequest {
  const now = fault === "clock_off" ? new Date(sentAt.getTime() - CLOCK_OFF_MS) : sentAt;
  const secret = secretFor(asked, fault);
  const scheme = schemeOf(sender.template, sender.scheme);
  const reading = sender.reading ?? TEMPLATES[sender.template].reading;
  const inBody = scheme.secretInBody && fault === "no_signature" ? "" : secret;
  const sample = sampleRequest({ template: sender.template, reading, secret: inBody }, id, now);
  const body = Buffer.from(fault === "malformed" && reading?.body !== "headers" ? "{" : (asked.body ?? sample.body));
  const headers = { ...sample.headers, ...(asked.body !== undefined && { "content-type": typeOf(asked.body, sample.headers) }) };
  const renewed = scheme.renew?.({ body, url, contentType: headers["content-type"] ?? "", now }) ?? { body, url };
  const signedUrl = fault === "wrong_url" ? otherScheme(renewed.url) : renewed.url;
  const toSign = { body: renewed.body, secret, id, now };
  const proof = fault === "no_signature" ? {} : scheme.sign({ ...toSign, url: signedUrl });
  const sentTo = (fault === "no_signature" ? undefined : scheme.signUrl?.({ ...toSign, url: renewed.url })) ?? renewed.url;
  const text = Buffer.from(renewed.body).toString();
  return { body: fault === "re_encoded" ? reEncoded(text) : text, headers: { ...headers, ...proof }, query: sentTo.slice(url.length) };
}

function secretFor({ secret, retiredSecret }: SenderEventBody, fault: SenderFault | null): string {
  if (fault === "wrong_signature") return WRONG_SECRET;
  if (fault !== "retired_secret") return secret;
  if (!retiredSecret) throw new AppError("invalid_request", "retiredSecret: Enter the source's previous secret.");
  return retiredSecret;
}

/** Returns JSON for text that begins like JSON, else the sender's type. */
const typeOf = (body: string, sample: Record<string, string>): string =>
  /^\s*[[{]/.test(body) ? "application/json" : (sample["content-type"] ?? "application/json");

const otherScheme = (url: string): string => url.replace(/^http(s?):/, (_, secure: string) => (secure ? "http:" : "https:"));

function reEncoded(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return `${text}\r\n`;
  }
}
