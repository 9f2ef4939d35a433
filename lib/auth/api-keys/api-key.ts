import { crc32 } from "node:zlib";
import { newToken } from "#lib/vault/opaque-token";

/** Keys that we made begin with this; a key that an operator chose (INIT_API_KEY) is any text after `sbx_`. */
const OURS = "sbx_key1_";
const CHECKSUM_LENGTH = 7;
const OUR_FORM = /^sbx_key1_[A-Za-z0-9_-]{43}[0-9a-z]{7}$/;
const ANY_FORM = /^sbx_[\x21-\x7e]{36,200}$/;
/** Length of the part of a key that is shown to recognise it by: the prefix and four of its 43 random characters. */
const HINT_LENGTH = OURS.length + 4;

/**
 * A new API key: the prefix, 256 random bits in base64url, and the CRC-32 of
 * all that in base 36. A secret scanner can tell a real one from a look-alike
 * on its own.
 */
export function newApiKey(): string {
  const text = OURS + newToken();
  return text + checksumOf(text);
}

/**
 * False when the text can't be a key: of the wrong form, or one of ours that
 * was mistyped or cut. Costs no look into the database.
 */
export function mayBeApiKey(text: string): boolean {
  if (!text.startsWith(OURS)) return ANY_FORM.test(text);
  return OUR_FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns what lists show of a key; never enough to use it. */
export const hintOf = (key: string): string => key.slice(0, key.startsWith(OURS) ? HINT_LENGTH : 8);

const checksumOf = (text: string): string => crc32(text).toString(36).padStart(CHECKSUM_LENGTH, "0");
