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
