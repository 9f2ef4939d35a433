import type { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import type { BackupStore } from "#lib/config/env";
import { BackupError } from "./format/backup-file.ts";

export type StoreLimits = {
  connectMs: number;
  /** A connection on which nothing moves for this long is given up. */
  silenceMs: number;
  /** Of one request, for failures that may pass. */
  attempts: number;
};

export const STORE_LIMITS: StoreLimits = { connectMs: 10_000, silenceMs: 60_000, attempts: 3 };

const MIB = 1_048_576;
/** S3 takes 10,000 parts at most; some are left for what the seal adds. */
const MAX_PARTS = 9000;
const MIN_PART = 8 * MIB;
const PARTS_AT_ONCE = 2;

/** For answers that are no object: a list of 1,000 names of 1 kB takes a quarter of it. */
const MAX_ANSWER = 8 * MIB;
/** 1,000 names each. */
const MAX_PAGES = 1000;

/** `name` is without the prefix. */
export type StoredObject = { name: string; bytes: number; storedAt: Date };

/** Every failure is a BackupError in our words, without URL or secret. */
export type ObjectStore = {
  /** Stores a stream whole or not at all. `bytes`: about its size, which decides the size of the parts. */
  put: (name: string, body: Readable, options: { bytes: number; signal: AbortSignal; onBytes?: (bytes: number) => void }) => Promise<void>;
  get: (name: string, signal: AbortSignal) => AsyncGenerator<Uint8Array>;
  list: () => Promise<StoredObject[]>;
  /** Deletes an object and unfinished uploads of that name. */
  remove: (name: string, signal?: AbortSignal) => Promise<void>;
  close: () => void;
};

/** Loads the client only now: a start without S3 must not wait for it. */
export async function openObjectStore(settings: BackupStore, limits: StoreLimits = STORE_LIMITS): Promise<ObjectStore> {
  const [sdk, { Upload }] = await Promise.all([import("@aws-sdk/client-s3"), import("@aws-sdk/lib-storage")]);
  const client = new sdk.S3Client({
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // Other servers want buckets in the path, and know none of Amazon's checksums.
    ...(settings.endpoint && { endpoint: settings.endpoint, forcePathStyle: true }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: limits.attempts,
    requestHandler: { connectionTimeout: limits.connectMs, socketTimeout: limits.silenceMs },
    streamCollector: (stream: Readable) => collectAnswer(stream, limits.silenceMs),
  });
  const { bucket: Bucket, prefix } = settings;
  const inWords = <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> =>
    work.catch((error: unknown) => {
      signal?.throwIfAborted();
      throw wordsFor(error);
    });
  return {
    put: async (name, body, { bytes, signal, onBytes }) => {
      const upload = new Upload({
        client: endedBy(signal, client, sdk),
        params: { Bucket, Key: prefix + name, Body: body, ContentType: "application/octet-stream" },
        partSize: Math.max(MIN_PART, Math.ceil(bytes / MAX_PARTS / MIB) * MIB),
        queueSize: PARTS_AT_ONCE,
      });
      upload.on("httpUploadProgress", ({ loaded }) => onBytes?.(loaded ?? 0));
      const stop = () => void upload.abort().catch(() => undefined);
      signal.throwIfAborted();
      signal.addEventListener("abort", stop, { once: true });
      await inWords(upload.done(), signal).finally(() => {
        signal.removeEventListener("abort", stop);
        body.destroy();
      });
    },
    get: async function* (name, signal) {
      const command = new sdk.GetObjectCommand({ Bucket, Key: prefix + name });
      const { Body } = await inWords(client.send(command, { abortSignal: signal }), signal);
      yield* readBody(Body as Readable, limits.silenceMs, signal);
    },
    list: () => inWords(listObjects(client, sdk, { Bucket, prefix })),
    remove: async (name, signal) => {
      const options = signal ? { abortSignal: signal } : {};
      await inWords(client.send(new sdk.DeleteObjectCommand({ Bucket, Key: prefix + name }), options));
      await abortUploads(client, sdk, { Bucket, Key: prefix + name, options });
    },
    close: () => client.destroy(),
  };
}

export async function withObjectStore<T>(settings: BackupStore, limits: StoreLimits, work: (store: ObjectStore) => Promise<T>): Promise<T> {
  const store = await openObjectStore(settings, limits);
  return work(store).finally(() => store.close());
}

async function collectAnswer(stream: Readable, limitMs: number): Promise<Uint8Array> {
  const timer = setTimeout(() => stream.destroy(inOwnWords(SILENT)), limitMs);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER) throw inOwnWords(`The store's answer is larger than ${MAX_ANSWER / MIB} MiB. Check BACKUP_S3_ENDPOINT.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}

/** Keeps the SDK from adding its hint for developers to errors without metadata. */
const inOwnWords = (words: string) => Object.assign(new BackupError(words), { $metadata: {} });

async function* readBody(body: Readable, silenceMs: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const stop = () => body.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const silence = setTimeout(() => body.destroy(new BackupError(SILENT)), silenceMs);
      const { value, done } = await chunks.next().finally(() => clearTimeout(silence));
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw wordsFor(error);
  } finally {
    signal.removeEventListener("abort", stop);
    body.destroy();
  }
}

type Sdk = typeof import("@aws-sdk/client-s3");

/** Ends requests when the signal aborts: `Upload` only stops waiting, and could store the object after it was removed. */
function endedBy(signal: AbortSignal, client: S3Client, sdk: Sdk): S3Client {
  const send = (command: Parameters<S3Client["send"]>[0]) =>
    client.send(command, command instanceof sdk.AbortMultipartUploadCommand ? {} : { abortSignal: signal });
  return Object.create(client, { send: { value: send } }) as S3Client;
}

async function listObjects(client: S3Client, sdk: Sdk, { Bucket, prefix }: { Bucket: string; prefix: string }): Promise<StoredObject[]> {
  const found = new Map<string, StoredObject>();
  const folders = new Set<string>();
  let ContinuationToken: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, Delimiter: "/", ContinuationToken }));
    const before = found.size + folders.size;
    for (const { Key = "", Size = 0, LastModified } of page.Contents ?? [])
      found.set(Key, { name: Key.slice(prefix.length), bytes: Size, storedAt: LastModified ?? new Date(0) });
    for (const { Prefix = "" } of page.CommonPrefixes ?? []) folders.add(Prefix);
    if (!page.NextContinuationToken) return [...found.values()];
    if (found.size + folders.size === before)
      throw new BackupError(
        "The store's list does not advance: a page of it has no new name, and it says that there are more. Check BACKUP_S3_ENDPOINT.",
      );
    ContinuationToken = page.NextContinuationToken;
  }
  throw new BackupError(`The store's list does not end after ${MAX_PAGES} pages. Use a prefix that holds backups alone.`);
}

/** Aborts unfinished uploads, which are paid for and shown nowhere. Servers that can't list them end them by bucket rules. */
async function abortUploads(
  client: S3Client,
  sdk: Sdk,
  { Bucket, Key, options }: { Bucket: string; Key: string; options: { abortSignal?: AbortSignal } },
): Promise<void> {
  try {
    const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key }), options);
    for (const { UploadId, Key: of } of Uploads) {
      if (of === Key) await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), options);
    }
  } catch {
    // The object itself is gone, which is what counts.
  }
}

const SILENT = "The store did not respond in time.";

const BY_CODE: Record<string, string> = {
  NoSuchKey: "There is no such object in the store.",
  NotFound: "There is no such object in the store.",
  NoSuchBucket: "There is no such bucket. Create it, or correct BACKUP_S3_URL.",
  InvalidAccessKeyId: "The store does not recognize the access key. Correct BACKUP_S3_ACCESS_KEY_ID.",
  SignatureDoesNotMatch: "The store rejected the signature. Correct BACKUP_S3_SECRET_ACCESS_KEY.",
  AccessDenied: "The store denied access. The key needs s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket on this bucket.",
  PermanentRedirect: "The bucket is in another region. Correct BACKUP_S3_REGION.",
  AuthorizationHeaderMalformed: "The bucket is in another region. Correct BACKUP_S3_REGION.",
  RequestTimeTooSkewed: "The store rejected the request's timestamp. Correct this machine's clock.",
  TimeoutError: SILENT,
  ECONNREFUSED: "The store can't be reached: the connection was refused. Check BACKUP_S3_ENDPOINT.",
  ENOTFOUND: "The store can't be reached: its host name is unknown. Check BACKUP_S3_ENDPOINT.",
  EAI_AGAIN: "The store can't be reached: its host name can't be looked up. Check this machine's DNS.",
  ETIMEDOUT: SILENT,
  ECONNRESET: "The store closed the connection.",
};

/** Puts a failure into our words: a server's text may repeat what it was sent. */
export function wordsFor(error: unknown): Error {
  if (error instanceof BackupError) return error;
  const { name, code, message, $metadata } = error as Error & { code?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const known = BY_CODE[code ?? ""] ?? BY_CODE[name];
  if (known) return new BackupError(known);
  if (status === 403) return new BackupError(BY_CODE.AccessDenied ?? "");
  if (status !== undefined && status >= 500) return new BackupError(`The store answered ${status}: it is overloaded or failing.`);
  if (status !== undefined && status >= 300)
    return new BackupError(`The store rejected the request with ${status} (${/^\w{1,60}$/.test(name) ? name : "no reason"}).`);
  if (message === "aborted" || name === "AbortError") return new BackupError("The store closed the connection.");
  return error as Error;
}
