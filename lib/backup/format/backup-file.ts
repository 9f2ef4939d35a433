import { z } from "zod";

/** The first word of a backup's text, and the version of its format. A newer one is refused. */
export const MAGIC = "signalbox-backup";
export const FORMAT = 1;

/** Between the rows of a table and what follows, as psql writes it. No row of COPY's text format reads so. */
export const END_OF_ROWS = "\\.";

const table = z.object({ name: z.string(), columns: z.array(z.string()) });
export type BackedUpTable = z.infer<typeof table>;

/** Header before the rows: their schema and origin, and the position of the log. */
export const backupHead = z.object({
  format: z.number(),
  /** The version of Signalbox that made it. */
  version: z.string(),
  createdAt: z.string(),
  /** The schema: the migrations that the database had. */
  migrations: z.array(z.string()),
  /** Names of the vault's keys that its secrets are sealed with. The keys themselves are not in a backup. */
  keyIds: z.array(z.string()),
  /** The position of the newest event; null when there is none. */
  logPosition: z.string().nullable(),
  /** The months that have a partition. */
  months: z.array(z.object({ table: z.string(), month: z.string() })),
  /** In the order in which foreign keys allow them to be written. */
  tables: z.array(table),
});
export type BackupHead = z.infer<typeof backupHead>;

const tableSum = z.object({ name: z.string(), rows: z.number(), hash: z.string() });
export type TableSum = z.infer<typeof tableSum>;

/** Trailer after the rows: their counts and hashes. */
export const backupManifest = z.object({
  /** Rows and their hash for each table (see RowDigest). */
  tables: z.array(tableSum),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  rows: z.number(),
  /** Bytes of text before this line, and their SHA-256. */
  bytes: z.number(),
  sha256: z.string(),
});
export type BackupManifest = z.infer<typeof backupManifest>;

/** A backup that can't be made, read or restored. The message is for people: what is the matter, and what to do. */
export class BackupError extends Error {
  override name = "BackupError";
}
