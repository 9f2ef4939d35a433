import { hash, hkdfSync, randomBytes } from "node:crypto";
import { BackupError } from "./backup-file.ts";

// The sealed form of a backup, for storage that others run (decision 54):
//   "signalbox-sealed" | version (1) | key's name | object's name | salt (32)    names: length in 2 bytes, then UTF-8
//   chunks: AES-256-GCM of 64 KiB each with its tag (16), the last may be shorter
// It is the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015): a nonce is the chunk's number and whether it is the last, so
// none can be left out, moved, repeated or added. The key is derived from the whole header: changing the header changes the key.

const MAGIC = Buffer.from("signalbox-sealed");
const VERSION = 1;
const SALT_BYTES = 32;
const KEY_BYTES = 32;
/** File systems and S3 allow no longer names. */
const MAX_NAME = 1024;

export const CHUNK_BYTES = 65_536;
export const TAG_BYTES = 16;
export const MAX_HEADER = MAGIC.length + 1 + 2 * (2 + MAX_NAME) + SALT_BYTES;

/** Authentic only once the first chunk opens. */
export type SealedHeader = { keyId: string; name: string; salt: Buffer; bytes: Buffer };

export function makeHeader(keyId: string, name: string): SealedHeader {
  const salt = randomBytes(SALT_BYTES);
  return { keyId, name, salt, bytes: Buffer.concat([MAGIC, Buffer.from([VERSION]), lengthPrefixed(keyId), lengthPrefixed(name), salt]) };
}

export const isSealed = (begin: Buffer): boolean => begin.subarray(0, MAGIC.length).equals(MAGIC);

/** @param begin at least MAX_HEADER bytes, or the whole file @throws BackupError without a header, or for a newer version */
export function readHeader(begin: Buffer): SealedHeader {
  if (!isSealed(begin)) throw new BackupError("This is not a sealed Signalbox backup.");
  let at = MAGIC.length;
  const take = (bytes: number): Buffer => {
    at += bytes;
    if (at > begin.length)
      throw new BackupError("The sealed backup is incomplete: it ends too early. Nothing was changed. Use another copy.");
    return begin.subarray(at - bytes, at);
  };
  if (take(1)[0] !== VERSION)
    throw new BackupError(
      "This backup was sealed by a newer version of Signalbox. Nothing was changed. Update Signalbox, then restore it.",
    );
  const word = (): string => {
    const length = take(2).readUInt16BE();
    if (length > MAX_NAME)
      throw new BackupError("The sealed backup is damaged: its header can't be read. Nothing was changed. Use another copy.");
    return take(length).toString("utf8");
  };
  const keyId = word();
  const name = word();
  const salt = Buffer.from(take(SALT_BYTES));
  return { keyId, name, salt, bytes: Buffer.from(begin.subarray(0, at)) };
}

/** Derives a file's key (HKDF-SHA-256, RFC 5869) from the header's hash: Node takes no longer context. */
export const fileKey = ({ salt, bytes }: SealedHeader, key: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, hash("sha256", bytes, "buffer"), KEY_BYTES));

export function chunkNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
