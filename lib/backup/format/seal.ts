import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { ReadableStream as WebStream } from "node:stream/web";
import type { Identity, Stanza } from "age-encryption";
import { z } from "zod";
import type { RingKey } from "#lib/config/setting-formats";
import { BackupError } from "./backup-file.ts";

// The sealed form of a backup, for storage that others run (decision 54): an age file (age-encryption.org/v1) with two stanzas.
// X25519 is of the identity that is derived from the key of BACKUP_KEY: `age -d` opens the file with it. The other is ours, and age
// ignores it: whoever knows the recipient can make an age file, but only who has the key can make the label, or see whose file it is.

const MAGIC = Buffer.from("age-encryption.org/");
const VERSION_LINE = Buffer.from("age-encryption.org/v1\n");
const HEADER_END = Buffer.from("\n--- ");
/** A label with a name of 1,024 bytes takes 2 kB. */
export const MAX_HEADER = 16_384;

const LABEL_STANZA = "signalbox/label";
const KEY_BYTES = 32;
/** docs/maintenance.md derives the identity by hand: a change here needs a new name, and the old one stays readable. */
const IDENTITY_INFO = "signalbox backup age identity";
const LABEL_INFO = "signalbox backup label";

/** What a sealed backup is, apart from its content. `installation`: the URL of the one that made it. */
const sealLabel = z.object({ name: z.string(), createdAt: z.string(), installation: z.string() });
export type SealLabel = z.infer<typeof sealLabel>;

export const NOT_SEALED = "This is not a sealed Signalbox backup.";
export const NEWER = "This backup was sealed by a newer version of Signalbox. Nothing was changed. Update Signalbox, then restore it.";
export const DAMAGED =
  "The sealed backup is damaged, cut off or was altered: a part of it can't be decrypted. Nothing was changed. Use another copy.";
export const CUT = "The sealed backup is incomplete: it ends too early. Nothing was changed. Use another copy.";
export const BAD_HEADER = "The sealed backup is damaged: its header can't be read. Nothing was changed. Use another copy.";
const FOREIGN =
  "This is an age file, but Signalbox didn't seal it, so nothing says which backup it is. Nothing was changed. If you trust it, open it with age and restore what is in it.";

export const isSealed = (begin: Buffer): boolean => begin.subarray(0, MAGIC.length).equals(MAGIC);

/** Loaded only where backups are stored: a start must not wait for them. */
const loadAge = () => import("age-encryption");

/** Derives the age identity of a key (HKDF-SHA-256, RFC 5869). Who has it opens every backup that the key sealed. */
export async function ageIdentity({ key }: RingKey): Promise<string> {
  const { bech32 } = await import("@scure/base");
  const scalar = new Uint8Array(hkdfSync("sha256", key, "", IDENTITY_INFO, KEY_BYTES));
  return bech32.encodeFromBytes("AGE-SECRET-KEY-", scalar).toUpperCase();
}

/** Seals a stream with a few chunks of 64 KiB in memory. */
export async function* seal(plain: AsyncIterable<Uint8Array>, { key, label }: { key: RingKey; label: SealLabel }): AsyncGenerator<Buffer> {
  const { Encrypter, Stanza, identityToRecipient } = await loadAge();
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(await ageIdentity(key)));
  encrypter.addRecipient({ wrapFileKey: (fileKey) => [new Stanza([LABEL_STANZA, key.kid], closeLabel(label, key, fileKey))] });
  for await (const chunk of await encrypter.encrypt(webStream(plain))) yield asBuffer(chunk);
}

type UnsealOptions = {
  keys: readonly RingKey[];
  /** The object's, without folder: it doesn't open under another. */
  name: string;
  onLabel?: (label: SealLabel) => void;
};

/** Opens a sealed stream. Each piece is authentic, but only the end shows that none is missing. @throws BackupError */
export async function* unseal(sealed: AsyncIterable<Uint8Array>, { keys, name, onLabel }: UnsealOptions): AsyncGenerator<Buffer> {
  const { begin, all, end } = await peek(sealed, MAX_HEADER);
  let failure: unknown;
  const source = rethrowing(all, (error) => {
    failure = error;
  });
  try {
    const { decrypter, label } = await openHeader(begin, keys);
    if (label.name !== name) throw new BackupError(otherBackup(label.name, name));
    onLabel?.(label);
    for await (const chunk of await decrypter.decrypt(webStream(source))) yield asBuffer(chunk);
  } catch (error) {
    throw error instanceof BackupError || error === failure ? error : new BackupError(DAMAGED);
  } finally {
    end();
  }
}

/** @throws BackupError unless the header is authentic and its label was made with one of the keys */
async function openHeader(begin: Buffer, keys: readonly RingKey[]) {
  const header = takeHeader(begin);
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  let found: { key: RingKey; body: Uint8Array } | undefined;
  const ofLabel: Identity = {
    unwrapFileKey: (stanzas) => {
      found = findLabel(stanzas, keys);
      return null; // the key's own identity comes next
    },
  };
  decrypter.addIdentity(ofLabel);
  for (const key of keys) decrypter.addIdentity(await ageIdentity(key));
  const fileKey = await decrypter.decryptHeader(header);
  const label = found && openLabel(found.body, found.key, fileKey);
  if (!label) throw new BackupError(DAMAGED);
  return { decrypter, label };
}

/** @returns the header with its MAC and line end, which bounds what is read of a header that has none */
function takeHeader(begin: Buffer): Buffer {
  if (!isSealed(begin)) throw new BackupError(NOT_SEALED);
  if (begin.length >= VERSION_LINE.length && !begin.subarray(0, VERSION_LINE.length).equals(VERSION_LINE)) throw new BackupError(NEWER);
  const mac = begin.indexOf(HEADER_END);
  const end = mac < 0 ? -1 : begin.indexOf("\n", mac + HEADER_END.length);
  if (end < 0) throw new BackupError(begin.length < MAX_HEADER ? CUT : BAD_HEADER);
  return begin.subarray(0, end + 1);
}

function findLabel(stanzas: readonly Stanza[], keys: readonly RingKey[]): { key: RingKey; body: Uint8Array } {
  const stanza = stanzas.find(({ args }) => args[0] === LABEL_STANZA);
  if (!stanza) throw new BackupError(FOREIGN);
  const [, kid = ""] = stanza.args;
  const key = keys.find((each) => each.kid === kid);
  if (!key) throw new BackupError(missingKey(kid));
  return { key, body: stanza.body };
}

const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;
/** Each file key is random: the label's key is used once. */
const NONCE = Buffer.alloc(12);

const labelKey = ({ key }: RingKey, fileKey: Uint8Array): Buffer => Buffer.from(hkdfSync("sha256", key, fileKey, LABEL_INFO, KEY_BYTES));

function closeLabel(label: SealLabel, key: RingKey, fileKey: Uint8Array): Uint8Array {
  const cipher = createCipheriv(CIPHER, labelKey(key, fileKey), NONCE);
  return new Uint8Array(Buffer.concat([cipher.update(JSON.stringify(label)), cipher.final(), cipher.getAuthTag()]));
}

function openLabel(body: Uint8Array, key: RingKey, fileKey: Uint8Array): SealLabel | null {
  try {
    const decipher = createDecipheriv(CIPHER, labelKey(key, fileKey), NONCE, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(body.subarray(-TAG_BYTES));
    return sealLabel.parse(JSON.parse(Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]).toString()));
  } catch {
    return null;
  }
}

/** Shows a header's name only if it looks like one: anybody may have written it. */
const wordOf = (text: string): string => (/^[\w.-]{1,200}$/.test(text) ? text : "of an unreadable name");

export const missingKey = (kid: string): string =>
  `This backup was sealed with the key ${wordOf(kid)}, which is not in BACKUP_KEY. Add that key after the first one.`;

export const otherBackup = (made: string, name: string): string =>
  `This is a different backup: it was made as ${wordOf(made)} but is stored as ${name}. Nothing was changed. Find the right object, or rename this one to its original name.`;

/** The browser's type of it has no `from`. */
const webStream = (chunks: AsyncIterable<Uint8Array>) => WebStream.from(chunks) as unknown as ReadableStream<Uint8Array>;

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads the first bytes of a stream, or all of a shorter one. @returns them, the whole stream, and what ends it, begun or not */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<{ begin: Buffer; all: AsyncIterable<Uint8Array>; end: () => void }> {
  const chunks = stream[Symbol.asyncIterator]();
  let begin = Buffer.alloc(0);
  while (begin.length < bytes) {
    const { value, done } = await chunks.next();
    if (done) break;
    begin = Buffer.concat([begin, value]);
  }
  // Not awaited: a store may just be silent.
  return { begin, all: after(begin, chunks), end: () => void chunks.return?.()?.catch(() => undefined) };
}

async function* after(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Tells a failure of the store or the disk from one of the content. */
async function* rethrowing(stream: AsyncIterable<Uint8Array>, note: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    note(error);
    throw error;
  }
}
