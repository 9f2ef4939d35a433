import { createTransport } from "nodemailer";
import SmtpTransport from "nodemailer/lib/smtp-transport/index.js";
import type { AlertMessage } from "#lib/alerts/message";
import { emailOf } from "#lib/alerts/message-formats";
import { env } from "#lib/config/env";
import type { MailSettings } from "#lib/config/setting-formats";
import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { CLIENT_HEADERS } from "#lib/forwarding/attempt/outgoing-request";
import { withoutSecret } from "#lib/forwarding/attempt/redaction";
import { sendAttempt, TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { readTargetUrl } from "#lib/forwarding/check-target";

const SHOWN_ANSWER = 160;

/** Statuses that are about this body: the next one may be accepted. */
const REFUSALS = [400, 413, 422];

/** Posts as a delivery is sent: to checked IPs, without redirects, within 15 s. Never throws, and hides `url` and `secret` in its text. */
export async function postJson(
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
    const what = hidden(detail);
    const refused = answer !== null && REFUSALS.includes(answer.status);
    return { arrived: false, detail: `${what}${said ? `: ${said}` : ""}. ${answer ? "" : fixOf(outcome)}`.trim(), retryAfterMs, refused };
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
  /** True if the other side has rejected this message and may take the next one. */
  refused?: boolean;
};

/** Limit of the whole conversation: shorter than a sender's lease of its channel. */
const MAX_MS = 40_000;

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

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(Object.assign(new Error("given up"), { code: "ETIMEDOUT" })), { once: true });
  });

type SmtpError = Error & { code?: string; response?: string; responseCode?: number };

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

/** Explains an error without the URL, which holds a password. */
function wordsOf({ code = "", response }: SmtpError): string {
  const what = WORDS[code] ?? `The email was not sent (${code || "unknown error"})`;
  return response ? `${what}: ${oneLine(response)}` : `${what}.`;
}

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
