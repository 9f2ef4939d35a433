import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import type { z } from "zod";
import {
  BackupError,
  type BackupHead,
  type BackupManifest,
  backupHead,
  backupManifest,
  END_OF_ROWS,
  FORMAT,
  MAGIC,
  RowDigest,
} from "./backup-file.ts";

/** In the order of the file. */
export type BackupPart =
  | { part: "head"; head: BackupHead }
  | { part: "table"; name: string }
  /** Whole rows in COPY's text format. */
  | { part: "rows"; data: Buffer; rows: number }
  | { part: "end of table"; name: string }
  | { part: "manifest"; manifest: BackupManifest };

const NEWLINE = 10;

/** A body of at most 64 MiB, two digits a byte, and its escapes. */
const MAX_ROW = 192 * 1_048_576;
/** A few kilobytes may unpack to gigabytes without a line end. */
const MAX_LINE = 16 * 1_048_576;

const DAMAGED = "The backup is damaged: its content does not match its own hashes. Nothing was changed. Use another copy.";
const TRUNCATED = "The backup is incomplete: the file ends too early. Nothing was changed. Use another copy.";
const TRAILING = "The backup is damaged: the file continues after its end. Nothing was changed. Use another copy.";
const FOREIGN = "This file is not a Signalbox backup.";

/** Reads and checks a backup, which is whole once the end is reached. Memory: its longest row. @throws BackupError */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const text = createZstdDecompress();
  pipeline(createReadStream(file), text, () => undefined);
  const parser = new Parser();
  try {
    for await (const chunk of text) yield* parser.take(chunk as Buffer);
  } catch (error) {
    throw wordsFor(error as NodeJS.ErrnoException, parser.begun);
  } finally {
    text.destroy();
  }
  parser.finish();
  // Decompression ends with the first frame, whatever follows.
  if (!(await isOneFrame(file))) throw new BackupError(TRAILING);
}

/** Reads no more than the beginning. @throws BackupError */
export async function readHead(file: string): Promise<BackupHead> {
  for await (const each of readBackup(file)) if (each.part === "head") return each.head;
  throw new BackupError(FOREIGN);
}

function wordsFor(error: NodeJS.ErrnoException, begun: boolean): Error {
  if (error instanceof BackupError) return error;
  if (error.code === "ENOENT") return new BackupError("There is no such file.");
  if (error.code === "EACCES" || error.code === "EISDIR") return new BackupError(`The file can't be read: ${error.message}`);
  if (error.code === "Z_BUF_ERROR") return new BackupError(TRUNCATED);
  if (error.code?.startsWith("ZSTD_error")) return new BackupError(begun ? DAMAGED : FOREIGN);
  return error;
}

class Parser {
  begun = false;
  private rest: Buffer[] = [];
  private restBytes = 0;
  private expected: string[] = [];
  private state: "head" | "between" | "rows" | "end" = "head";
  private current = { name: "", digest: new RowDigest() };
  private readonly found = new Map<string, { rows: number; hash: string }>();
  private readonly sha256 = createHash("sha256");
  private bytes = 0;

  *take(chunk: Buffer): Generator<BackupPart> {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end === -1) return this.keep(chunk);
    const block = Buffer.concat([...this.rest.splice(0), chunk.subarray(0, end + 1)]);
    this.restBytes = 0;
    yield* this.takeLines(block);
    if (end + 1 < chunk.length) this.keep(chunk.subarray(end + 1));
  }

  private keep(begin: Buffer): void {
    this.rest.push(begin);
    this.restBytes += begin.length;
    if (this.restBytes > (this.state === "rows" ? MAX_ROW : MAX_LINE)) throw new BackupError(this.begun ? DAMAGED : FOREIGN);
  }

  finish(): void {
    if (this.state === "head") throw new BackupError(FOREIGN);
    if (this.state !== "end" || this.rest.length > 0) throw new BackupError(TRUNCATED);
  }

  /** @param block whole lines */
  private *takeLines(block: Buffer): Generator<BackupPart> {
    let from = 0;
    while (from < block.length) {
      if (this.state === "rows") {
        const end = findEndOfRows(block, from);
        if (end > from) yield this.takeRows(block.subarray(from, end));
        from = end;
        if (from === block.length) return;
      }
      const next = block.indexOf(NEWLINE, from) + 1;
      yield* this.takeLine(block.subarray(from, next));
      from = next;
    }
  }

  private takeRows(data: Buffer): BackupPart {
    const before = this.current.digest.rows;
    this.hash(data);
    this.current.digest.add(data);
    return { part: "rows", data, rows: this.current.digest.rows - before };
  }

  private *takeLine(line: Buffer): Generator<BackupPart> {
    const text = line.toString("utf8").trimEnd();
    if (this.state === "head") yield this.takeHead(text);
    else if (this.state === "rows") yield this.endTable();
    else if (this.state === "between" && text.startsWith("table ")) yield this.beginTable(text.slice("table ".length));
    else if (this.state === "between" && text.startsWith("manifest "))
      yield this.takeManifest(parse(backupManifest, text.slice("manifest ".length)));
    else throw new BackupError(DAMAGED);
    this.hash(line);
  }

  private takeHead(text: string): BackupPart {
    if (!text.startsWith(`${MAGIC} `)) throw new BackupError(FOREIGN);
    const { format } = parse(backupHead.pick({ format: true }), text.slice(MAGIC.length));
    if (format > FORMAT)
      throw new BackupError(
        "This backup was made by a newer version of Signalbox. Nothing was changed. Update Signalbox, then restore it.",
      );
    this.begun = true;
    this.state = "between";
    const head = parse(backupHead, text.slice(MAGIC.length));
    this.expected = head.tables.map(({ name }) => name);
    return { part: "head", head };
  }

  private beginTable(name: string): BackupPart {
    if (this.expected.shift() !== name) throw new BackupError(DAMAGED);
    this.current = { name, digest: new RowDigest() };
    this.state = "rows";
    return { part: "table", name };
  }

  private endTable(): BackupPart {
    const { name, digest } = this.current;
    this.found.set(name, { rows: digest.rows, hash: digest.hash() });
    this.state = "between";
    return { part: "end of table", name };
  }

  private takeManifest(manifest: BackupManifest): BackupPart {
    const same = manifest.tables.every(({ name, rows, hash }) => {
      const found = this.found.get(name);
      return found?.rows === rows && found.hash === hash;
    });
    const whole = same && manifest.tables.length === this.found.size && manifest.bytes === this.bytes;
    if (!whole || manifest.sha256 !== this.sha256.copy().digest("hex")) throw new BackupError(DAMAGED);
    this.state = "end";
    return { part: "manifest", manifest };
  }

  private hash(text: Buffer): void {
    this.sha256.update(text);
    this.bytes += text.length;
  }
}

const MARK = Buffer.from(`${END_OF_ROWS}\n`);

/** Returns the start of the line that ends the rows, else the block's end. */
function findEndOfRows(block: Buffer, from: number): number {
  for (let at = block.indexOf(MARK, from); at !== -1; at = block.indexOf(MARK, at + 1)) {
    if (at === from || block[at - 1] === NEWLINE) return at;
  }
  return block.length;
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new BackupError(DAMAGED);
  }
}

const FRAME_MAGIC = 0xfd2fb528;
const RLE = 1;

/** True for one Zstandard frame plus at most Node.js' empty one (RFC 8878, 3.1.1): decompression ignores what follows the first. */
async function isOneFrame(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const first = await readFrame(handle, 0);
    if (first === null || first.end === size) return first !== null;
    const second = await readFrame(handle, first.end);
    return second?.end === size && second.bytes === 0;
  } finally {
    await handle.close();
  }
}

/** Returns a frame's end and the bytes of its blocks; null if it isn't whole. */
async function readFrame(handle: FileHandle, from: number): Promise<{ end: number; bytes: number } | null> {
  const { buffer: head, bytesRead } = await handle.read(Buffer.alloc(5), 0, 5, from);
  if (bytesRead < 5 || head.readUInt32LE(0) !== FRAME_MAGIC) return null;
  const descriptor = head.readUInt8(4);
  let at = from + 5 + headerBytes(descriptor);
  let bytes = 0;
  for (const block = Buffer.alloc(3); ; ) {
    if ((await handle.read(block, 0, 3, at)).bytesRead < 3) return null;
    const header = block.readUIntLE(0, 3);
    const size = ((header >> 1) & 3) === RLE ? 1 : header >> 3;
    bytes += size;
    at += 3 + size;
    if (header & 1) return { end: at + (descriptor & 4 ? 4 : 0), bytes };
  }
}

/** Returns the length of window, dictionary and content size, as far as the descriptor announces them. */
function headerBytes(descriptor: number): number {
  const single = (descriptor >> 5) & 1;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const content = [single, 2, 4, 8][descriptor >> 6] ?? 0;
  return (single ? 0 : 1) + dictionary + content;
}
