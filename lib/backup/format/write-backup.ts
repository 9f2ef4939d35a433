import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { BackupError, type BackupHead, type BackupManifest, END_OF_ROWS, MAGIC, RowDigest, type TableSum } from "./backup-file.ts";

/** A backup holds every payload and every password hash. */
const OWNER_ONLY = 0o600;
const UNFINISHED = ".partial";

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } };

export type BackupContent = {
  head: BackupHead;
  rowsOf: (table: BackupHead["tables"][number]) => AsyncIterable<Buffer>;
  /** Read last: sequences advance while rows are copied, and must not be behind any of them. */
  sequences: () => Promise<BackupManifest["sequences"]>;
};

type WriteOptions = { signal: AbortSignal; onRows: (table: string, rows: number) => void };

/** Writes a compressed backup, readable by its owner alone. It has its name once it is whole and on disk. @throws BackupError */
export async function writeBackup(
  file: string,
  content: BackupContent,
  options: WriteOptions,
): Promise<{ manifest: BackupManifest; fileBytes: number }> {
  const draft = `${file}${UNFINISHED}`;
  const text = new BackupText(content, options);
  try {
    const target = createWriteStream(draft, { flags: "w", mode: OWNER_ONLY, flush: true });
    await pipeline(text.lines(), createZstdCompress(COMPRESSION), target, { signal: options.signal });
    await rename(draft, file);
    await syncFolder(path.dirname(file));
    return { manifest: text.manifest, fileBytes: target.bytesWritten };
  } catch (error) {
    await rm(draft, { force: true });
    throw wordsFor(error as NodeJS.ErrnoException, file);
  }
}

function wordsFor(error: NodeJS.ErrnoException, file: string): Error {
  if (error.code === "ENOSPC") return new BackupError(`The disk is full: ${file} was not written. Free up space, or write it elsewhere.`);
  if (error.code === "ENOENT") return new BackupError(`There is no folder ${path.dirname(file)}. Create it, or choose another file.`);
  if (error.code === "EACCES" || error.code === "EROFS" || error.code === "EPERM")
    return new BackupError(`${path.dirname(file)} is not writable. Make it writable, or choose another file.`);
  return error;
}

/** Makes the new name survive a power cut; Windows can't sync folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

class BackupText {
  manifest: BackupManifest = { tables: [], sequences: [], rows: 0, bytes: 0, sha256: "" };
  private readonly content: BackupContent;
  private readonly options: WriteOptions;
  private readonly sha256 = createHash("sha256");
  private bytes = 0;

  constructor(content: BackupContent, options: WriteOptions) {
    this.content = content;
    this.options = options;
  }

  async *lines(): AsyncGenerator<Buffer> {
    const { head, sequences } = this.content;
    yield this.hashed(`${MAGIC} ${JSON.stringify(head)}\n`);
    const tables: TableSum[] = [];
    for (const table of head.tables) {
      yield this.hashed(`table ${table.name}\n`);
      const digest = new RowDigest();
      yield* this.rows(table, digest);
      tables.push({ name: table.name, rows: digest.rows, hash: digest.hash() });
      yield this.hashed(`${END_OF_ROWS}\n`);
    }
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    this.manifest = { tables, sequences: await sequences(), rows, bytes: this.bytes, sha256: this.sha256.digest("hex") };
    yield Buffer.from(`manifest ${JSON.stringify(this.manifest)}\n`);
  }

  private async *rows(table: BackupHead["tables"][number], digest: RowDigest): AsyncGenerator<Buffer> {
    for await (const chunk of this.content.rowsOf(table)) {
      const before = digest.rows;
      digest.add(chunk);
      this.options.onRows(table.name, digest.rows - before);
      yield this.hashed(chunk);
    }
  }

  private hashed(text: string | Buffer): Buffer {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    this.sha256.update(bytes);
    this.bytes += bytes.length;
    return bytes;
  }
}
