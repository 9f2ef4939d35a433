import { createDecipheriv, hash, hkdfSync } from "node:crypto";
import type { RingKey } from "#lib/config/setting-formats";
import { BackupError } from "./backup-file.ts";
import { BAD_HEADER, CUT, DAMAGED, missingKey, NEWER, NOT_SEALED, otherBackup, peek } from "./seal.ts";

// The sealed form of backups made before December 2026, which are read until the end of November 2027; then this file goes.
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
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
const MAX_HEADER = MAGIC.length + 1 + 2 * (2 + MAX_NAME) + SALT_BYTES;

/** Authentic only once the first chunk opens. */
type SealedHeader = { keyId: string; name: string; salt: Buffer; bytes: Buffer };

export const isEarlierSeal = (begin: Buffer): boolean => begin.subarray(0, MAGIC.length).equals(MAGIC);

/** @param begin at least MAX_HEADER bytes, or the whole file @throws BackupError without a header, or for a newer version */
function readHeader(begin: Buffer): SealedHeader {
  if (!isEarlierSeal(begin)) throw new BackupError(NOT_SEALED);
  let at = MAGIC.length;
  const take = (bytes: number): Buffer => {
    at += bytes;
    if (at > begin.length) throw new BackupError(CUT);
    return begin.subarray(at - bytes, at);
  };
  if (take(1)[0] !== VERSION) throw new BackupError(NEWER);
  const word = (): string => {
    const length = take(2).readUInt16BE();
    if (length > MAX_NAME) throw new BackupError(BAD_HEADER);
    return take(length).toString("utf8");
  };
  const keyId = word();
  const name = word();
  const salt = Buffer.from(take(SALT_BYTES));
  return { keyId, name, salt, bytes: Buffer.from(begin.subarray(0, at)) };
}

/** Derives a file's key (HKDF-SHA-256, RFC 5869) from the header's hash: Node takes no longer context. */
const fileKey = ({ salt, bytes }: SealedHeader, key: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, hash("sha256", bytes, "buffer"), KEY_BYTES));

function chunkNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

const SEALED_CHUNK = CHUNK_BYTES + TAG_BYTES;

const LONGER = "The sealed backup is damaged: the file continues after its end. Nothing was changed. Use another copy.";

/** Opens a sealed stream. Each piece is authentic, but only the end shows that none is missing. @throws BackupError */
export async function* unsealEarlier(
  sealed: AsyncIterable<Uint8Array>,
  { keys, name }: { keys: readonly RingKey[]; name: string },
): AsyncGenerator<Buffer> {
  const { begin, all, end } = await peek(sealed, MAX_HEADER);
  try {
    const header = readHeader(begin);
    const key = keys.find(({ kid }) => kid === header.keyId);
    if (!key) throw new BackupError(missingKey(header.keyId));
    const derived = fileKey(header, key.key);
    let number = 0;
    for await (const { bytes, isLast } of inPieces(all, SEALED_CHUNK, header.bytes.length)) {
      const plain = open(derived, bytes, number, isLast);
      if (plain === null || (isLast && number > 0 && plain.length === 0)) throw new BackupError(wordsFor(derived, bytes, number, isLast));
      // Not before: the first chunk proves the header authentic.
      if (header.name !== name) throw new BackupError(otherBackup(header.name, name));
      yield plain;
      number += 1;
    }
  } finally {
    end();
  }
}

function open(key: Buffer, bytes: Buffer, number: number, isLast: boolean): Buffer | null {
  if (bytes.length < TAG_BYTES) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, chunkNonce(number, isLast));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Tells a cut from a continued file: the chunk opens only as a last one, or only as another. */
function wordsFor(key: Buffer, bytes: Buffer, number: number, isLast: boolean): string {
  if (bytes.length === 0) return CUT;
  if (open(key, bytes, number, !isLast) === null) return DAMAGED;
  return isLast ? CUT : LONGER;
}

/** Cuts a stream behind its header into pieces of one size; only the last may be shorter, or empty. */
async function* inPieces(
  stream: AsyncIterable<Uint8Array>,
  size: number,
  header: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let left = header;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of stream) {
    const behind = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - behind.length;
    held.push(behind);
    heldBytes += behind.length;
    if (heldBytes <= size) continue;
    const all = Buffer.concat(held);
    let from = 0;
    // A full piece waits for more: it may be the last.
    for (; all.length - from > size; from += size) yield { bytes: all.subarray(from, from + size), isLast: false };
    held = [all.subarray(from)];
    heldBytes = all.length - from;
  }
  yield { bytes: Buffer.concat(held), isLast: true };
}
