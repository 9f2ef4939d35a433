import { hash } from "node:crypto";
import { z } from "zod";

export const MAGIC = "signalbox-backup";
export const FORMAT = 1;

/** Ends a table's rows, as in psql; no row of COPY's text format looks like it. */
export const END_OF_ROWS = "\\.";

const table = z.object({ name: z.string(), columns: z.array(z.string()) });
export type BackedUpTable = z.infer<typeof table>;

export const backupHead = z.object({
  format: z.number(),
  version: z.string(),
  createdAt: z.string(),
  migrations: z.array(z.string()),
  /** Vault keys that seal its secrets; the keys themselves are not in a backup. */
  keyIds: z.array(z.string()),
  logPosition: z.string().nullable(),
  /** Months that have a partition. */
  months: z.array(z.object({ table: z.string(), month: z.string() })),
  /** In the order in which foreign keys allow writing them. */
  tables: z.array(table),
});
export type BackupHead = z.infer<typeof backupHead>;

const tableSum = z.object({ name: z.string(), rows: z.number(), hash: z.string() });
export type TableSum = z.infer<typeof tableSum>;

export const backupManifest = z.object({
  tables: z.array(tableSum),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  rows: z.number(),
  /** Bytes of text before this line, and their SHA-256. */
  bytes: z.number(),
  sha256: z.string(),
});
export type BackupManifest = z.infer<typeof backupManifest>;

/** Its message tells people what is wrong and what to do. */
export class BackupError extends Error {
  override name = "BackupError";
}

const NEWLINE = 10;
const LANES = 8;

/** Sums the rows' SHA-256 as eight 32-bit numbers, so that equal rows match in any order. */
export class RowDigest {
  rows = 0;
  private readonly lanes = new Uint32Array(LANES);
  private rest: Buffer[] = [];

  /** Takes text that may begin and end within a row. */
  add(text: Buffer): void {
    let from = 0;
    for (let end = text.indexOf(NEWLINE); end !== -1; end = text.indexOf(NEWLINE, from)) {
      this.addRow(text.subarray(from, end));
      from = end + 1;
    }
    if (from < text.length) this.rest.push(text.subarray(from));
  }

  private addRow(end: Buffer): void {
    const row = this.rest.length === 0 ? end : Buffer.concat([...this.rest.splice(0), end]);
    const sum = hash("sha256", row, "buffer");
    for (let lane = 0; lane < LANES; lane += 1) this.lanes[lane] = (this.lanes[lane] ?? 0) + sum.readUInt32LE(lane * 4);
    this.rows += 1;
  }

  hash(): string {
    return [...this.lanes].map((lane) => lane.toString(16).padStart(8, "0")).join("");
  }
}
