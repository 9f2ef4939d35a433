import { createTransport } from "nodemailer";
import SmtpTransport from "nodemailer/lib/smtp-transport/index.js";
import type { MailSettings } from "#lib/config/mail-url";

/** Each step of a conversation with the mail server. Milliseconds. */
const STEP_MS = 10_000;
const LIMITS = { connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS, dnsTimeout: STEP_MS };

/** Text of others is never read as an address or a header; files and URLs are never fetched for a message. */
export const SAFE_MAIL = { headers: { "Auto-Submitted": "auto-generated" }, disableFileAccess: true, disableUrlAccess: true };

/** Returns a connection to the mail server, for one message. Made by its class: createTransport would read the URL alone, and leave out all that stands beside it. */
export const mailTransport = ({ url, needsTls }: MailSettings) =>
  createTransport(new SmtpTransport({ url, requireTLS: needsTls, ...LIMITS }));
