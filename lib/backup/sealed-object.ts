import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RingKey } from "#lib/config/setting-formats";
import { BackupError } from "./format/backup-file.ts";
import { isEarlierSeal, unsealEarlier } from "./format/earlier-seal.ts";
import { readHead } from "./format/read-backup.ts";
import { isSealed, peek, type SealLabel, seal, unseal } from "./format/seal.ts";
import type { ObjectStore } from "./object-store.ts";

type TransferOptions = {
  signal: AbortSignal;
  onBytes: (phase: "uploading" | "downloading", done: number, total: number) => void;
};

const OWNER_ONLY = 0o600;
/** Enough to tell the sealed forms apart. */
const MAGIC_BYTES = 32;

/** Seals and stores a backup, reads it back and compares. @returns the object's bytes @throws BackupError if it fails or differs */
export async function storeSealed(
  store: ObjectStore,
  keys: readonly RingKey[],
  { file, installation }: { file: string; installation: string },
  { signal, onBytes }: TransferOptions,
): Promise<number> {
  const [key] = keys;
  if (!key) throw new BackupError("BACKUP_KEY contains no key.");
  const name = path.basename(file);
  const { createdAt } = await readHead(file);
  const { size } = await stat(file);
  const sent = createHash("sha256");
  let sealedBytes = 0;
  const body = Readable.from(
    counted(
      seal(hashed(createReadStream(file), sent), { key, label: { name, createdAt, installation } }),
      (bytes) => (sealedBytes += bytes),
    ),
    { objectMode: false },
  );
  await store.put(name, body, { bytes: size, signal, onBytes: (bytes) => onBytes("uploading", bytes, size) });
  const back = createHash("sha256");
  let done = 0;
  const plain = openStream(store.get(name, signal), { keys, name });
  for await (const chunk of hashed(plain, back)) {
    done += chunk.length;
    onBytes("downloading", done, size);
  }
  if (back.digest("hex") === sent.digest("hex")) return sealedBytes;
  throw new BackupError("The backup read back from the store differs from what was written, so it does not count. Check the store.");
}

type OpenOptions = { to: string; signal: AbortSignal; onLabel?: (label: SealLabel) => void };

/** Fetches a backup into a new owner-only file, which is removed unless all of it opens. @throws BackupError */
export async function fetchSealed(
  store: ObjectStore,
  keys: readonly RingKey[],
  { name, to, signal, ...options }: OpenOptions & { name: string },
): Promise<void> {
  await writeUnsealed(openStream(store.get(name, signal), { keys, name, ...options }), to, signal);
}

/** Opens a sealed file that came by other means; it must have the object's name. @throws BackupError */
export async function openSealedFile(keys: readonly RingKey[], file: string, { to, signal, ...options }: OpenOptions): Promise<void> {
  await writeUnsealed(openStream(createReadStream(file), { keys, name: path.basename(file), ...options }), to, signal);
}

/** Opens either sealed form. */
async function* openStream(sealed: AsyncIterable<Uint8Array>, options: Parameters<typeof unseal>[1]): AsyncGenerator<Buffer> {
  const { begin, all, end } = await peek(sealed, MAGIC_BYTES);
  try {
    yield* isEarlierSeal(begin) ? unsealEarlier(all, options) : unseal(all, options);
  } finally {
    end();
  }
}

export async function isSealedFile(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => null);
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0);
    const begin = buffer.subarray(0, bytesRead);
    return isSealed(begin) || isEarlierSeal(begin);
  } catch {
    return false; // a folder, for example: the reader reports it
  } finally {
    await handle.close();
  }
}

async function writeUnsealed(plain: AsyncIterable<Buffer>, to: string, signal: AbortSignal): Promise<void> {
  const file = await open(to, "wx", OWNER_ONLY); // what is there already is not ours to remove
  try {
    await pipeline(plain, file.createWriteStream(), { signal });
  } catch (error) {
    await rm(to, { force: true });
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new BackupError(`The disk is full: there is no room for the backup in ${path.dirname(to)}.`);
    throw error;
  }
}

async function* hashed(stream: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* counted(stream: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    count(chunk.length);
    yield chunk;
  }
}
