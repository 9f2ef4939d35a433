import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from "node:crypto";
import type { RingKey } from "#lib/config/setting-formats";
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
type SealedHeader = { keyId: string; name: string; salt: Buffer; bytes: Buffer };

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
const fileKey = ({ salt, bytes }: SealedHeader, key: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, hash("sha256", bytes, "buffer"), KEY_BYTES));

function chunkNonce(number: number, isLast: boolean): Buffer {
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

const CIPHER = "aes-256-gcm";
const SEALED_CHUNK = CHUNK_BYTES + TAG_BYTES;

const DAMAGED =
  "The sealed backup is damaged, cut off or was altered: a part of it can't be decrypted. Nothing was changed. Use another copy.";
const CUT = "The sealed backup is incomplete: it ends too early. Nothing was changed. Use another copy.";
const LONGER = "The sealed backup is damaged: the file continues after its end. Nothing was changed. Use another copy.";

/** Seals a stream with two chunks in memory. @param name the object's, without folder: it doesn't open under another */
export async function* seal(plain: AsyncIterable<Uint8Array>, { key, name }: { key: RingKey; name: string }): AsyncGenerator<Buffer> {
  const header = makeHeader(key.kid, name);
  const derived = fileKey(header, key.key);
  yield header.bytes;
  let number = 0;
  for await (const { bytes, isLast } of inPieces(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, derived, chunkNonce(number, isLast));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/** Opens a sealed stream. Each piece is authentic, but only the end shows that none is missing. @throws BackupError */
export async function* unseal(
  sealed: AsyncIterable<Uint8Array>,
  { keys, name }: { keys: readonly RingKey[]; name: string },
): AsyncGenerator<Buffer> {
  const { header, rest } = await takeHeader(sealed);
  const key = keys.find(({ kid }) => kid === header.keyId);
  if (!key)
    throw new BackupError(
      `This backup was sealed with the key ${wordOf(header.keyId)}, which is not in BACKUP_KEY. Add that key after the first one.`,
    );
  const derived = fileKey(header, key.key);
  let number = 0;
  for await (const { bytes, isLast } of inPieces(rest, SEALED_CHUNK)) {
    const plain = open(derived, bytes, number, isLast);
    if (plain === null || (isLast && number > 0 && plain.length === 0)) throw new BackupError(wordsFor(derived, bytes, number, isLast));
    // Not before: the first chunk proves the header authentic.
    if (header.name !== name)
      throw new BackupError(
        `This is a different backup: it was made as ${wordOf(header.name)} but is stored as ${name}. Nothing was changed. Find the right object, or rename this one to its original name.`,
      );
    yield plain;
    number += 1;
  }
}

/** Shows a header's name only if it looks like one: anybody may have written it. */
const wordOf = (text: string): string => (/^[\w.-]{1,200}$/.test(text) ? text : "of an unreadable name");

function open(key: Buffer, bytes: Buffer, number: number, isLast: boolean): Buffer | null {
  if (bytes.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, chunkNonce(number, isLast));
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

async function takeHeader(sealed: AsyncIterable<Uint8Array>): Promise<{ header: SealedHeader; rest: AsyncIterable<Uint8Array> }> {
  const chunks = sealed[Symbol.asyncIterator]();
  let begin = Buffer.alloc(0);
  try {
    while (begin.length < MAX_HEADER) {
      const { value, done } = await chunks.next();
      if (done) break;
      begin = Buffer.concat([begin, value]);
    }
    const header = readHeader(begin);
    return { header, rest: after(begin.subarray(header.bytes.length), chunks) };
  } catch (error) {
    await chunks.return?.();
    throw error;
  }
}

async function* after(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Cuts a stream into pieces of one size; only the last may be shorter, or empty. */
async function* inPieces(stream: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of stream) {
    held.push(chunk);
    heldBytes += chunk.length;
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
