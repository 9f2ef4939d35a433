/** `digest` is the signature inside a wrong wrapping. */
export type HeaderForm =
  | { form: "missing" }
  | { form: "secret" }
  | { form: "repeated"; values: string[] }
  | { form: "prefix"; prefix: string; digest: string | null }
  | { form: "base64"; how: string; digest: string }
  | { form: "wrong_length"; length: number }
  | { form: "not_hex"; why: string }
  | { form: "hex"; digest: string };

const HEX = /^[0-9a-f]+$/i;
const HEX_SHA256 = /^[0-9a-f]{64}$/i;
/** `sha256=…`, `v1=…`, `HMAC …`, `sha256:…`. Base64's own `=` comes last, so nothing follows it. */
const PREFIX = /^([A-Za-z][\w-]{0,19})(=|:|\s)\s*(\S.*)$/;

/** Replaces a header that held the signing secret itself. */
export const SECRET_NOT_KEPT = "[the signing secret itself: not kept]";

/** Reads a signature header as it was kept: repeated headers are joined by ", ". */
export function readHeaderForm(header: string | undefined): HeaderForm {
  if (header === undefined || header.trim() === "") return { form: "missing" };
  if (header.includes(SECRET_NOT_KEPT)) return { form: "secret" };
  const values = header.split(",").map((value) => value.trim());
  if (values.length > 1) return ofSeveral(values);
  if (HEX_SHA256.test(header)) return { form: "hex", digest: header };
  return unwrap(header);
}

/** Tells several values from one scheme of several parts such as `t=1760000000,v1=5f…`. */
function ofSeveral(values: string[]): HeaderForm {
  const parts = values.map((value) => PREFIX.exec(value));
  if (!parts.every((part) => part !== null) || parts[0]?.[1] === parts[1]?.[1]) return { form: "repeated", values };
  const carrier = parts.find((part) => HEX_SHA256.test(part[3] ?? ""));
  return { form: "prefix", prefix: parts.map((part) => `${part[1]}${part[2]}`).join(", "), digest: carrier?.[3] ?? null };
}

function unwrap(header: string): HeaderForm {
  const base64 = fromBase64(header);
  if (base64) return base64;
  const [, zeroX] = /^0x([0-9a-f]{64})$/i.exec(header) ?? [];
  if (zeroX) return { form: "prefix", prefix: "0x", digest: zeroX };
  const [, name = "", mark = "", rest = ""] = PREFIX.exec(header) ?? [];
  if (name) return { form: "prefix", prefix: `${name}${mark}`.trim(), digest: digestIn(rest) };
  if (HEX.test(header)) return { form: "wrong_length", length: header.length };
  return { form: "not_hex", why: oddityOf(header) };
}

function digestIn(text: string): string | null {
  if (HEX_SHA256.test(text)) return text;
  const base64 = fromBase64(text);
  return base64?.form === "base64" ? base64.digest : null;
}

/** Reads 32 bytes in base64 or base64url, or the 64 digits encoded in base64. */
function fromBase64(text: string): Extract<HeaderForm, { form: "base64" }> | null {
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return { form: "base64", how: "the 32 bytes in base64", digest: decode(text).toString("hex") };
  if (!/^[A-Za-z0-9+/_-]{86}(==)?$/.test(text)) return null;
  const inner = decode(text).toString("latin1");
  return HEX_SHA256.test(inner) ? { form: "base64", how: "the hexadecimal digits in base64", digest: inner } : null;
}

const decode = (text: string) => Buffer.from(text.replaceAll("-", "+").replaceAll("_", "/"), "base64");

function oddityOf(header: string): string {
  if (/^\s|\s$/.test(header)) return "It is surrounded by whitespace.";
  if (/^["'].*["']$/.test(header)) return "It is in quotes.";
  const odd = [...header].find((character) => !/[0-9a-f]/i.test(character)) ?? "";
  return `The first character that is not a hexadecimal digit is ${JSON.stringify(odd)}.`;
}
