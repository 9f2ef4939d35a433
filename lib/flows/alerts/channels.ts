import { createTransport } from "nodemailer";
import SmtpTransport from "nodemailer/lib/smtp-transport/index.js";
import type { ChannelSettings } from "#lib/alerts/alert-settings-store";
import type { AlertMessage } from "#lib/alerts/message";
import {
  discordMessage,
  emailOf,
  fitsDiscord,
  fitsTeams,
  pagerDutyEvent,
  slackMessage,
  teamsMessage,
  webhookBody,
} from "#lib/alerts/message-formats";
import type { ClaimedChannel } from "#lib/alerts/notification-store";
import { env } from "#lib/config/env";
import type { MailSettings } from "#lib/config/setting-formats";
import type { AlertChannelKind, ChangeAlertChannelBody, CreateAlertChannelBody } from "#lib/contracts/alerts";
import { invalidField } from "#lib/contracts/api/app-error";
import { asSentence } from "#lib/contracts/as-sentence";
import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { CLIENT_HEADERS, messageId, newSigningSecret, signedHeaders } from "#lib/forwarding/attempt/outgoing-request";
import { withoutSecret } from "#lib/forwarding/attempt/redaction";
import { sendAttempt, TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { checkTarget, readTargetUrl } from "#lib/forwarding/check-target";

/** `secret` is stored sealed; the rest may be shown. */
export type Address = Pick<ChannelSettings, "recipients" | "target"> & { secret: string | null };

export type AddressField = "recipients" | "url" | "routingKey" | "secret";

/** `target` and `secret` are read in one moment. `giveUp` ends the attempt: whether it arrived is then unknown. */
type Outgoing = { channel: ClaimedChannel; target: string; secret: string; message: AlertMessage; now: Date; giveUp: AbortSignal };

type CreateBodies = { [B in CreateAlertChannelBody as B["kind"]]: B };

type ChannelType<K extends AlertChannelKind> = {
  fields: readonly AddressField[];
  /** True if one request takes all alerts of the message; one of a single alert always fits. */
  fits: (message: AlertMessage) => boolean;
  /** True if Signalbox makes the secret, and shows it once. */
  makesSecret: boolean;
  /** The secret that is valid for the URL's host only; null where the URL is the secret, or there is none. */
  boundSecret: { field: AddressField; label: string } | null;
  readAddress: (body: CreateBodies[K]) => Promise<Address>;
  /** Returns null when the change leaves the address as it is. `target` is the present one. */
  changedAddress: (target: string, change: ChangeAlertChannelBody) => Promise<Address | null>;
  /** Never throws for what the other side does. */
  deliver: (outgoing: Outgoing) => Promise<Delivered>;
};

/** Checks a URL like a destination's: a name that can't be resolved yet is allowed. @throws AppError `invalid_request` */
async function checkedUrl(url: string): Promise<string> {
  const checked = await checkTarget(url);
  if (!checked.ok && checked.code === "refused") throw invalidField("url", checked.reason);
  return checked.ok ? checked.target.href : url.trim();
}

/** Makes a chat's channel. The URL is the credential, so it is sealed and only its host is shown. */
const chatChannel = <K extends "slack" | "teams" | "discord">(
  compose: (message: AlertMessage) => object,
  fits: (message: AlertMessage) => boolean = () => true,
): ChannelType<K> => ({
  fields: ["url"],
  fits,
  makesSecret: false,
  boundSecret: null,
  readAddress: ({ url }) => sealedUrl(url),
  changedAddress: async (_target, { url }) => (url === undefined ? null : sealedUrl(url)),
  deliver: ({ secret, message, now, giveUp }) => postJson(secret, Buffer.from(JSON.stringify(compose(message))), now, giveUp, secret),
});

async function sealedUrl(url: string): Promise<Address> {
  const href = await checkedUrl(url);
  return { recipients: [], target: new URL(href).host, secret: href };
}

const SHOWN_ANSWER = 160;

/** Statuses that are about this body, such as its size: another may be accepted. */
const REFUSALS = [400, 413, 422];

const SLACK = chatChannel<"slack">(slackMessage);

/** Posts through a Teams workflow that runs when a webhook request is received. */
const TEAMS = chatChannel<"teams">(teamsMessage, fitsTeams);

const DISCORD = chatChannel<"discord">(discordMessage, fitsDiscord);

/** Returns the same ID for all attempts to send the same alerts to the same channel. */
const messageIdOf = ({ id }: ClaimedChannel, { lines }: AlertMessage): string =>
  messageId(id, lines.flatMap(({ sendIds }) => sendIds).join(","));

const EMAIL: ChannelType<"email"> = {
  fields: ["recipients"],
  fits: () => true,
  makesSecret: false,
  boundSecret: null,
  readAddress: async ({ recipients }) => toRecipients(recipients),
  changedAddress: async (_target, { recipients }) => (recipients ? toRecipients(recipients) : null),
  deliver: ({ channel, message, giveUp }) => sendMail(channel.recipients, message, messageIdOf(channel, message), giveUp),
};

const toRecipients = (recipients: string[]) => ({ recipients, target: recipients.join(", "), secret: null });

const WEBHOOK: ChannelType<"webhook"> = {
  fields: ["url", "secret"],
  fits: () => true,
  makesSecret: true,
  boundSecret: { field: "secret", label: "signing secret" },
  readAddress: async ({ url }) => ({ recipients: [], target: await checkedUrl(url), secret: newSigningSecret() }),
  changedAddress: async (target, { url, secret }) =>
    url === undefined && secret === undefined
      ? null
      : { recipients: [], target: url === undefined ? target : await checkedUrl(url), secret: secret ?? null },
  deliver: ({ channel, target, secret, message, now, giveUp }) => {
    const body = Buffer.from(JSON.stringify(webhookBody(message, now)));
    return postJson(target, body, now, giveUp, secret, signedHeaders(messageIdOf(channel, message), now, body, [secret]));
  },
};

const USUAL_URL = "https://events.pagerduty.com/v2/enqueue";

/** Events API v2: each alert is an incident of its own. */
const PAGERDUTY: ChannelType<"pagerduty"> = {
  fields: ["url", "routingKey"],
  fits: ({ lines }) => lines.length === 1,
  makesSecret: false,
  boundSecret: { field: "routingKey", label: "integration key" },
  readAddress: async ({ url, routingKey }) => ({ recipients: [], target: await checkedUrl(url ?? USUAL_URL), secret: routingKey }),
  changedAddress: async (target, { url, routingKey }) =>
    url === undefined && routingKey === undefined
      ? null
      : { recipients: [], target: url === undefined ? target : await checkedUrl(url), secret: routingKey ?? null },
  deliver,
};

async function deliver({ target, secret, message, now, giveUp }: Outgoing): Promise<Delivered> {
  let last: Delivered = { arrived: true, detail: "Nothing to send", retryAfterMs: null };
  for (const line of message.lines) {
    const post = (action?: "resolve") =>
      postJson(target, Buffer.from(JSON.stringify(pagerDutyEvent(secret, message, line, action))), now, giveUp, secret);
    last = await post();
    // A test leaves no incident behind.
    if (last.arrived && line.subject === "test") last = await post("resolve");
    if (!last.arrived) break;
  }
  return last;
}

/** Limit of the whole conversation: shorter than a sender's lease of its channel. */
const MAX_MS = 40_000;

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(Object.assign(new Error("given up"), { code: "ETIMEDOUT" })), { once: true });
  });

const WORDS: Record<string, string> = {
  EAUTH: "The mail server rejected the user name or password of SMTP_URL",
  ECONNECTION: "The mail server can't be reached. Check SMTP_URL",
  ESOCKET: "The mail server can't be reached. Check SMTP_URL",
  EDNS: "The mail server's host name was not found. Check SMTP_URL",
  ETIMEDOUT: "The mail server did not respond in time",
  ETLS: "The connection to the mail server can't be encrypted (SMTP_TLS=optional would send it unencrypted)",
  EENVELOPE: "The mail server rejected the sender or all recipients",
  EMESSAGE: "The mail server rejected the message",
};

const oneLine = (text: string) => text.replaceAll("\u0000", "").replace(/\s+/g, " ").slice(0, 200).toWellFormed();

const failed = (detail: string): Delivered => ({ arrived: false, detail, retryAfterMs: null });

/** Limit of each step of the conversation with the mail server. */
const STEP_MS = 10_000;
const LIMITS = { connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS, dnsTimeout: STEP_MS };

/** Text from others is never read as an address or a header, and no file or URL is fetched for a message. */
export const SAFE_MAIL = { headers: { "Auto-Submitted": "auto-generated" }, disableFileAccess: true, disableUrlAccess: true };

/** Connects by the class: `createTransport` would read the URL alone, and ignore the other options. */
export const mailTransport = ({ url, needsTls }: MailSettings) =>
  createTransport(new SmtpTransport({ url, requireTLS: needsTls, ...LIMITS }));

/** Has every kind: the compiler asks for a new one. */
const CHANNEL_TYPES: { [K in AlertChannelKind]: ChannelType<K> } = {
  email: EMAIL,
  slack: SLACK,
  teams: TEAMS,
  discord: DISCORD,
  pagerduty: PAGERDUTY,
  webhook: WEBHOOK,
};

/** Returns null for a kind that this version does not know. */
export const channelTypeOf = (kind: string): Omit<ChannelType<AlertChannelKind>, "readAddress"> | null =>
  Object.hasOwn(CHANNEL_TYPES, kind) ? CHANNEL_TYPES[kind as AlertChannelKind] : null;

/** @throws AppError `invalid_request` when the URL may not be called */
export const readAddress = <K extends AlertChannelKind>(kind: K, body: CreateBodies[K]): Promise<Address> =>
  CHANNEL_TYPES[kind].readAddress(body);

/** Posts as a delivery is sent: to checked IPs, without redirects, within 15 s. Never throws, and hides `url` and `secret` in its text. */
async function postJson(
  url: string,
  body: Uint8Array,
  now: Date,
  giveUp: AbortSignal,
  secret: string,
  headers: Record<string, string> = {},
): Promise<Delivered> {
  const read = readTargetUrl(url);
  if (!read.ok) return { arrived: false, detail: read.reason, retryAfterMs: null };
  const connection = new TargetConnection(read.target);
  try {
    const all = { "content-type": "application/json", ...CLIENT_HEADERS, ...headers };
    const result = await sendAttempt(connection, { path: read.target.path, headers: all, body }, now, giveUp);
    if (!result) return { arrived: false, detail: "The attempt timed out.", retryAfterMs: null };
    const { outcome, detail, answer, retryAfterMs } = result;
    if (outcome === "delivered") return { arrived: true, detail, retryAfterMs: null };
    const hidden = (text: string) => withoutSecret(withoutSecret(text, url), secret);
    const said = answer ? hidden(textOf(answer.body)).slice(0, SHOWN_ANSWER).toWellFormed() : "";
    const refused = answer !== null && REFUSALS.includes(answer.status);
    const what = asSentence(`${hidden(detail)}${said ? `: ${said}` : ""}`);
    return { arrived: false, detail: answer ? what : `${what} ${fixOf(outcome)}`, retryAfterMs, refused };
  } finally {
    connection.close();
  }
}

/** Returns an answer's text; empty for HTML. */
function textOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString("utf8").replaceAll("\u0000", "").replace(/\s+/g, " ").trim();
  return text.startsWith("<") ? "" : text;
}

/** `retryAfterMs`: wait before the next attempt, where the answer names one. */
export type Delivered = {
  arrived: boolean;
  detail: string;
  retryAfterMs: number | null;
  /** True if the other side has rejected this message and may take another, such as a shorter one. */
  refused?: boolean;
};

/** Never throws. @param messageId the same for the same alerts, so that a mail program recognises a repeated message */
export async function sendMail(
  recipients: string[],
  message: AlertMessage,
  messageId: string,
  giveUp: AbortSignal,
  maxMs = MAX_MS,
): Promise<Delivered> {
  const { mail } = env();
  if (!mail) return failed("SMTP_URL and MAIL_FROM are not set: no email can be sent.");
  const transport = mailTransport(mail);
  try {
    const sending = transport.sendMail({
      from: mail.from,
      to: recipients.map((address) => ({ name: "", address })),
      messageId: `<${messageId}@signalbox>`,
      ...emailOf(message),
      ...SAFE_MAIL,
    });
    const { accepted, rejected, response } = await Promise.race([sending, aborted(giveUp), aborted(AbortSignal.timeout(maxMs))]);
    const taken = `Accepted by the mail server (${oneLine(response)})`;
    if (rejected.length === 0) return { arrived: true, detail: taken, retryAfterMs: null };
    return {
      arrived: true,
      detail: `${taken} for ${accepted.length} of ${recipients.length} addresses; rejected: ${rejected.join(", ")}`,
      retryAfterMs: null,
    };
  } catch (error) {
    return failed(wordsOf(error as SmtpError));
  } finally {
    transport.close();
  }
}

type SmtpError = Error & { code?: string; response?: string; responseCode?: number };

/** Explains an error without the URL, which holds a password. */
function wordsOf({ code = "", response }: SmtpError): string {
  const what = WORDS[code] ?? `The email was not sent (${code || "unknown error"})`;
  return response ? `${what}: ${oneLine(response)}` : `${what}.`;
}
