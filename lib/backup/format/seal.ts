import { createCipheriv, createDecipheriv } from "node:crypto";
import type { RingKey } from "#lib/config/key-ring";
import { BackupError } from "./backup-file.ts";
import { CHUNK_BYTES, chunkNonce, fileKey, MAX_HEADER, makeHeader, readHeader, type SealedHeader, TAG_BYTES } from "./sealed-header.ts";

const CIPHER = "aes-256-gcm";
const SEALED_CHUNK = CHUNK_BYTES + TAG_BYTES;

const DAMAGED =
  "The sealed backup is damaged, cut off or was altered: a part of it can't be decrypted. Nothing was changed. Use another copy.";
const CUT = "The sealed backup is incomplete: it ends too early. Nothing was changed. Use another copy.";
const LONGER = "The sealed backup is damaged: the file continues after its end. Nothing was changed. Use another copy.";

/**
 * Seals a backup as it streams by. Memory stays at two chunks.
 *
 * @param name the object's own name without its folder: under another one it does not open
 */
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

/**
 * Opens what `seal` made, as it streams by. Each piece is authentic; whether all of them came is known at the end, so that
 * nothing may be done with them before.
 *
 * @param keys of which one is named in the header
 * @param name the name that it was asked for by
 * @throws BackupError when it is cut, altered, longer, of another name or of a key that is not here
 */
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
    // Only now: the first chunk has shown that the header is authentic.
    if (header.name !== name)
      throw new BackupError(
        `This is a different backup: it was made as ${wordOf(header.name)} but is stored as ${name}. Nothing was changed. Find the right object, or rename this one to its original name.`,
      );
    yield plain;
    number += 1;
  }
}

/** Returns a name of a header for people: whatever does not look like one may be anybody's. */
const wordOf = (text: string): string => (/^[\w.-]{1,200}$/.test(text) ? text : "of an unreadable name");

/** Returns null when the chunk is not what was sealed as this number. */
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

/** A whole chunk that opens as a last one, or as none, says in which way the file is wrong. */
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

/** Cuts a stream into pieces of one size. The last one is known as such, and may be shorter; of an empty stream it is empty. */
async function* inPieces(stream: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of stream) {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes <= size) continue;
    const all = Buffer.concat(held);
    let from = 0;
    // A full piece waits until more comes: it may be the last.
    for (; all.length - from > size; from += size) yield { bytes: all.subarray(from, from + size), isLast: false };
    held = [all.subarray(from)];
    heldBytes = all.length - from;
  }
  yield { bytes: Buffer.concat(held), isLast: true };
}
