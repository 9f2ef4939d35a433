const UNENCRYPTED = /[?&](ignoreTLS=true|requireTLS=false|secure=false)\b/i;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/** True if the URL has a password and another machine, so that the password passes a network. An unreadable URL counts as one. */
function sendsPasswordAway(text: string): boolean {
  const url = URL.parse(text);
  return url === null || ((url.username !== "" || url.password !== "") && !LOOPBACK.test(url.hostname));
}

export const turnsEncryptionOff = (url: string): boolean => UNENCRYPTED.test(url) && sendsPasswordAway(url);

/** `needsTls`: nothing is sent before the connection is encrypted. `mayBeRead`: the password may be sent unencrypted. */
export type MailSettings = { url: string; from: string; needsTls: boolean; mayBeRead: boolean };

export const PASSWORD_MAY_BE_READ =
  "the password of SMTP_URL may be sent over the network unencrypted (SMTP_TLS=optional). Use a mail server that encrypts, and remove SMTP_TLS.";

type Given = { SMTP_URL?: string | undefined; SMTP_TLS: "required" | "optional"; MAIL_FROM?: string | undefined };

export function mailOf({ SMTP_URL, SMTP_TLS, MAIL_FROM }: Given): MailSettings | null {
  if (!SMTP_URL || !MAIL_FROM) return null;
  const required = SMTP_TLS === "required";
  const beginsInClear = SMTP_URL.startsWith("smtp:") && sendsPasswordAway(SMTP_URL);
  const mayBeRead = !required && (beginsInClear || turnsEncryptionOff(SMTP_URL));
  return { url: SMTP_URL, from: MAIL_FROM, needsTls: required && beginsInClear, mayBeRead };
}
