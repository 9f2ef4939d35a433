/** Parameters by which nodemailer would send without encryption. */
const UNENCRYPTED = /[?&](ignoreTLS=true|requireTLS=false|secure=false)\b/i;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/** True when the mail server gets a password and is another machine, so that the password passes a network. What can't be read counts as one. */
function sendsPasswordAway(text: string): boolean {
  const url = URL.parse(text);
  return url === null || ((url.username !== "" || url.password !== "") && !LOOPBACK.test(url.hostname));
}

/** True when the password would be sent as it is, whatever the mail server offers. */
export const turnsEncryptionOff = (url: string): boolean => UNENCRYPTED.test(url) && sendsPasswordAway(url);

/** `needsTls`: nothing is sent before the connection is encrypted. `mayBeRead`: a password may go without. */
export type MailSettings = { url: string; from: string; needsTls: boolean; mayBeRead: boolean };

/** Doctor and start say it. */
export const PASSWORD_MAY_BE_READ =
  "the password of SMTP_URL may be sent over the network unencrypted (SMTP_TLS=optional). Use a mail server that encrypts, and remove SMTP_TLS.";

type Given = { SMTP_URL?: string | undefined; SMTP_TLS: "required" | "optional"; MAIL_FROM?: string | undefined };

/** Returns how email is sent; null when it is not set up. */
export function mailOf({ SMTP_URL, SMTP_TLS, MAIL_FROM }: Given): MailSettings | null {
  if (!SMTP_URL || !MAIL_FROM) return null;
  const required = SMTP_TLS === "required";
  const beginsInClear = SMTP_URL.startsWith("smtp:") && sendsPasswordAway(SMTP_URL);
  const mayBeRead = !required && (beginsInClear || turnsEncryptionOff(SMTP_URL));
  return { url: SMTP_URL, from: MAIL_FROM, needsTls: required && beginsInClear, mayBeRead };
}
