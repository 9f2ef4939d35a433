import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from "jose";
import { env } from "#lib/config/env";
import { parseKeyRing, type RingKey } from "#lib/config/setting-formats";
import type { WorkspaceId } from "#lib/contracts/api/ids";

/** Part of the authenticated data: a ciphertext moved to another row does not open. */
export type SealContext = { workspaceId: string; table: string; row: string; field: string };

const KEY_WRAP = "A256GCMKW";
const CONTENT = "A256GCM";

/** Seals a secret (JWE compact, RFC 7516; a fresh content key each time, wrapped by the active key). Throws VaultError `no_key`. */
export async function seal(plaintext: string, context: SealContext): Promise<{ sealed: string; keyId: string }> {
  const { kid, key } = activeKey();
  const sealed = await new CompactEncrypt(new TextEncoder().encode(plaintext))
    .setProtectedHeader({ alg: KEY_WRAP, enc: CONTENT, kid, ctx: contextText(context) })
    .encrypt(key);
  return { sealed, keyId: kid };
}

/** Opens a value sealed for the same place. Throws VaultError `key_unknown`, `tampered` or `wrong_context`. */
export async function open(sealed: string, context: SealContext): Promise<string> {
  assertCanonical(sealed);
  const { key } = keyById(keyIdOf(sealed));
  const { plaintext, protectedHeader } = await decrypt(sealed, key);
  // Compared only now, when the header is known to be authentic.
  if (protectedHeader.ctx !== contextText(context)) throw new VaultError("wrong_context", "This value was encrypted for another place.");
  return new TextDecoder("utf-8", { fatal: true }).decode(plaintext);
}

async function decrypt(sealed: string, key: Uint8Array) {
  try {
    return await compactDecrypt(sealed, key, { keyManagementAlgorithms: [KEY_WRAP], contentEncryptionAlgorithms: [CONTENT] });
  } catch (cause) {
    throw tampered(cause);
  }
}

/** Returns the key in the header, which is not verified yet. Throws VaultError `tampered`. */
function keyIdOf(sealed: string): string {
  try {
    return String(decodeProtectedHeader(sealed).kid);
  } catch (cause) {
    throw tampered(cause);
  }
}

/** Rejects other spellings of one secret: decoders ignore the unused bits of a last base64 character. */
function assertCanonical(sealed: string): void {
  const parts = sealed.split(".");
  const canonical = parts.length === 5 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
  if (!canonical) throw tampered();
}

function contextText({ workspaceId, table, row, field }: SealContext): string {
  const parts = [workspaceId, table, row, field];
  if (parts.some((part) => part === "" || part.includes("|")))
    throw new VaultError("wrong_context", "A place must have four names without bars.");
  return parts.join("|");
}

const tampered = (cause?: unknown) => new VaultError("tampered", "The encrypted value was modified or truncated.", { cause });

let parsed: { text: string; ring: RingKey[] } | undefined;

/** Returns the keys of `VAULT_KEYS`, the active one first; old keys only open. Throws VaultError `no_key`. */
function keyRing(): RingKey[] {
  const text = env().VAULT_KEYS;
  if (!text) throw new VaultError("no_key", "VAULT_KEYS is not set: nothing can be encrypted or decrypted.");
  if (parsed?.text !== text) parsed = { text, ring: parseKeyRing(text) };
  return parsed.ring;
}

function activeKey(): RingKey {
  const [active] = keyRing();
  if (!active) throw new VaultError("no_key", "VAULT_KEYS contains no key.");
  return active;
}

/** Throws VaultError `key_unknown` if the ring lacks that key. */
function keyById(kid: string): RingKey {
  const found = keyRing().find((each) => each.kid === kid);
  if (!found)
    throw new VaultError("key_unknown", "Encrypted with a key that is missing from VAULT_KEYS. Add that key again, after the active one.");
  return found;
}

export const hasKey = (kid: string): boolean => keyRing().some((each) => each.kid === kid);

/** `missing`: sealed with a key that the ring lacks. */
export type KeyState = { keyId: string; place: "active" | "old" | "missing" };

/** Returns the worst state of several values. */
export function keyStateOf(sealed: string[]): KeyState {
  const active = activeKey().kid;
  const ids = sealed.map(readKeyId);
  const other = ids.find((id) => !hasKey(id)) ?? ids.find((id) => id !== active);
  if (other === undefined) return { keyId: active, place: "active" };
  return { keyId: other, place: hasKey(other) ? "old" : "missing" };
}

function readKeyId(sealed: string): string {
  try {
    return keyIdOf(sealed);
  } catch {
    return "(unreadable)";
  }
}

type Home = { workspaceId: string; table: string; row: string };

export async function resealedValue({ workspaceId, table, row }: Home, { field, sealed }: { field: string; sealed: string }) {
  const place = { workspaceId, table, row, field };
  return seal(await open(sealed, place), place);
}

/** `no_key`: none configured. `key_unknown`: the ring lacks the key. The others: modified, or sealed for another place. */
type VaultErrorCode = "no_key" | "key_unknown" | "tampered" | "wrong_context";

/** The message never holds the sealed value. */
export class VaultError extends Error {
  override name = "VaultError";
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, words: string, options?: { cause?: unknown }) {
    super(words, options);
    this.code = code;
  }
}

/** Recognizes the class by its name too: a bundler may hold a second copy. */
export const isVaultError = (error: unknown): error is VaultError => error instanceof Error && error.name === "VaultError";

export const sourceSecretPlace = (workspaceId: WorkspaceId, secretId: string): SealContext => ({
  workspaceId,
  table: "source_secrets",
  row: secretId,
  field: "sealed",
});
