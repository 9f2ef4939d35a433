import ipaddr from "ipaddr.js";

export type RingKey = { kid: string; key: Uint8Array };

/** Parses `name:base64-of-32-bytes[,older...]`, the active key first. The environment's schema has checked the text. */
export const parseKeyRing = (text: string): RingKey[] =>
  text.split(",").map((entry) => {
    const [kid = "", key = ""] = entry.trim().split(":");
    return { kid, key: new Uint8Array(Buffer.from(key, "base64")) };
  });

/** `prefix` is empty or ends with a slash. */
type StorePlace = { bucket: string; prefix: string };

export function parseStoreUrl(text: string): StorePlace | null {
  const [, bucket, rest = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.\-/]*))?$/.exec(text) ?? [];
  const prefix = rest.replace(/\/$/, "");
  if (!bucket || (prefix !== "" && prefix.split("/").some((part) => /^\.{0,2}$/.test(part)))) return null;
  return { bucket, prefix: prefix === "" ? "" : `${prefix}/` };
}

export const formatStoreUrl = ({ bucket, prefix }: StorePlace): string => `s3://${bucket}/${prefix}`.replace(/\/$/, "");

/** Names no character of the value: the message is logged. */
export const UNESCAPED =
  "must be a URL: in its user name and password write : / ? # [ ] @ % as %3A %2F %3F %23 %5B %5D %40 %25 (RFC 3986 section 2.1)";

const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[^:[\]]*)(:\d{1,5})?$/i;

/** True if no character of a password ends it early, so that a piece of it would be looked up as the host. */
export function hasWholeAuthority(text: string): boolean {
  const rest = text.replace(/^\w+:\/\//, "");
  const [authority = ""] = rest.split(/[/?#]/, 1);
  const after = rest.slice(authority.length);
  // Only the value of a parameter may have an @ behind the authority.
  const end = after.slice(0, Math.max(0, after.lastIndexOf("@")));
  const isWhole =
    !after.includes("#") && (end === "" || /[?&][\w.-]+=[^&]*$/.test(end)) && HOST_AND_PORT.test(authority.split("@").at(-1) ?? "");
  return isWhole && !after.startsWith("@") && URL.canParse(text.replace("@/", "@host/"));
}

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

export type AllowList = { ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][]; hosts: string[] };

const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/;
/** A URL's host that ends like this is an IPv4 address (WHATWG URL, "ends in a number checker"). */
const NUMBER_AT_END = /(^|\.)(0x[0-9a-f]*|\d+)$/;

/** Reads `10.0.0.0/8, 192.168.1.7, internal.example`; null if an entry is no range, address or host name. */
export function readAllowList(text: string): AllowList | null {
  const list: AllowList = { ranges: [], hosts: [] };
  for (const entry of text.split(",").map((each) => each.trim().toLowerCase())) {
    if (entry === "") continue;
    const range = readRange(entry);
    if (range) list.ranges.push(range);
    else if (HOST_NAME.test(entry) && !NUMBER_AT_END.test(entry)) list.hosts.push(entry);
    else return null;
  }
  return list;
}

function readRange(entry: string): AllowList["ranges"][number] | null {
  const [address = "", bits] = entry.split("/");
  // Only the usual notations: `10.1` or `0x0a000001` could mean another address than intended.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !(address.includes(":") && ipaddr.IPv6.isValid(address))) return null;
  const parsed = ipaddr.parse(address);
  const longest = parsed.kind() === "ipv4" ? 32 : 128;
  if (bits === undefined) return [parsed, longest];
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest ? [parsed, Number(bits)] : null;
}

export function isHttpProxy(text: string): boolean {
  const parsed = URL.parse(text);
  return parsed?.protocol === "http:" && parsed.pathname === "/" && parsed.search === "" && parsed.hash === "";
}
