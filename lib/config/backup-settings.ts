import type { RawEnv } from "./env-schema.ts";
import { parseKeyRing, type RingKey } from "./key-ring.ts";
import { parseStoreUrl } from "./store-url.ts";

const HOUR_MS = 3_600_000;

export type BackupStore = {
  bucket: string;
  /** Path before each name: empty, or ends with a slash. */
  prefix: string;
  /** An S3-compatible server; null for Amazon's. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The first seals, all of them open. */
  keys: RingKey[];
};

export type BackupSettings = {
  /** Folder of BACKUP_DIR. If null, a file is kept only until it is in the store. */
  dir: string | null;
  store: BackupStore | null;
  /** Milliseconds from the start of one backup to the start of the next. */
  everyMs: number;
  keep: number;
  /** Milliseconds between proofs; 0 for none. */
  proveEveryMs: number;
};

export function backupOf(raw: RawEnv): BackupSettings | null {
  const store = storeOf(raw);
  if (!raw.BACKUP_DIR && !store) return null;
  return {
    dir: raw.BACKUP_DIR ?? null,
    store,
    everyMs: durationOf(raw.BACKUP_EVERY),
    keep: raw.BACKUP_KEEP,
    proveEveryMs: store ? durationOf(raw.BACKUP_PROVE_EVERY) : 0,
  };
}

function storeOf(raw: RawEnv): BackupStore | null {
  const { BACKUP_S3_URL, BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY, BACKUP_KEY } = raw;
  if (!BACKUP_S3_URL || !BACKUP_S3_ACCESS_KEY_ID || !BACKUP_S3_SECRET_ACCESS_KEY || !BACKUP_KEY) return null;
  const place = parseStoreUrl(BACKUP_S3_URL);
  if (place === null) return null;
  return {
    ...place,
    endpoint: raw.BACKUP_S3_ENDPOINT ?? null,
    region: raw.BACKUP_S3_REGION,
    accessKeyId: BACKUP_S3_ACCESS_KEY_ID,
    secretAccessKey: BACKUP_S3_SECRET_ACCESS_KEY,
    keys: parseKeyRing(BACKUP_KEY),
  };
}

const durationOf = (text: string) => Number.parseInt(text, 10) * (text.endsWith("d") ? 24 : 1) * HOUR_MS;
