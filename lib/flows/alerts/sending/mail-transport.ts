import { createTransport } from "nodemailer";
import SmtpTransport from "nodemailer/lib/smtp-transport/index.js";
import type { MailSettings } from "#lib/config/mail-url";

/** Limit of each step of the conversation with the mail server. */
const STEP_MS = 10_000;
const LIMITS = { connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS, dnsTimeout: STEP_MS };

/** Text from others is never read as an address or a header, and no file or URL is fetched for a message. */
export const SAFE_MAIL = { headers: { "Auto-Submitted": "auto-generated" }, disableFileAccess: true, disableUrlAccess: true };

/** Connects by the class: `createTransport` would read the URL alone, and ignore the other options. */
export const mailTransport = ({ url, needsTls }: MailSettings) =>
  createTransport(new SmtpTransport({ url, requireTLS: needsTls, ...LIMITS }));
