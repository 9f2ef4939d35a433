import type { RawEnv } from "./env-schema.ts";
import { parseKeyRing, type RingKey } from "./key-ring.ts";
import { parseStoreUrl } from "./store-url.ts";

const HOUR_MS = 3_600_000;

/** The place of sealed backups, the access to it, and the keys that seal and open them. */
export type BackupStore = {
  bucket: string;
  /** Before each name: empty, or with a slash at its end. */
  prefix: string;
  /** Another server than Amazon's. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** As in BACKUP_KEY: the first seals, all of them open. */
  keys: RingKey[];
};

/** Scheduled backups. At least one of `dir` and `store` is set. */
export type BackupSettings = {
  /** The folder of BACKUP_DIR. Without it, a file is there only until it is in the store. */
  dir: string | null;
  store: BackupStore | null;
  /** Milliseconds from the begin of one to the begin of the next. */
  everyMs: number;
  /** Number of backups that are kept, in the folder and in the store. */
  keep: number;
  /** Milliseconds from one proof to the next; 0 for none. */
  proveEveryMs: number;
};

/** Returns the schedule, while BACKUP_DIR or BACKUP_S3_URL is set. */
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
