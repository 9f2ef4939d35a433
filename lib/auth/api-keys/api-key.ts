import { crc32 } from "node:zlib";
import { newToken } from "#lib/vault/opaque-token";

/** Prefix of generated keys; an operator's INIT_API_KEY is any text after `sbx_`. */
const OURS = "sbx_key1_";
const CHECKSUM_LENGTH = 7;
const OUR_FORM = /^sbx_key1_[A-Za-z0-9_-]{43}[0-9a-z]{7}$/;
const ANY_FORM = /^sbx_[\x21-\x7e]{36,200}$/;
/** The prefix and four of the 43 random characters, to recognise a key by. */
const HINT_LENGTH = OURS.length + 4;

/** Returns the prefix, 256 random bits in base64url and a CRC-32 in base 36, which tells secret scanners a real key from a look-alike. */
export function newApiKey(): string {
  const text = OURS + newToken();
  return text + checksumOf(text);
}

/** False if the text can't be a key (wrong form, mistyped, cut); spares a database query. */
export function mayBeApiKey(text: string): boolean {
  if (!text.startsWith(OURS)) return ANY_FORM.test(text);
  return OUR_FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns what lists show of a key; never enough to use it. */
export const hintOf = (key: string): string => key.slice(0, key.startsWith(OURS) ? HINT_LENGTH : 8);

const checksumOf = (text: string): string => crc32(text).toString(36).padStart(CHECKSUM_LENGTH, "0");
