import { env } from "#lib/config/env";
import { parseKeyRing, type RingKey } from "#lib/config/key-ring";
import { VaultError } from "./vault-error.ts";

let parsed: { text: string; ring: RingKey[] } | undefined;

/** Returns the keys of `VAULT_KEYS`, the active one first; old keys only open. Throws VaultError `no_key`. */
function keyRing(): RingKey[] {
  const text = env().VAULT_KEYS;
  if (!text) throw new VaultError("no_key", "VAULT_KEYS is not set: nothing can be encrypted or decrypted.");
  if (parsed?.text !== text) parsed = { text, ring: parseKeyRing(text) };
  return parsed.ring;
}

export function activeKey(): RingKey {
  const [active] = keyRing();
  if (!active) throw new VaultError("no_key", "VAULT_KEYS contains no key.");
  return active;
}

/** Throws VaultError `key_unknown` if the ring lacks that key. */
export function keyById(kid: string): RingKey {
  const found = keyRing().find((each) => each.kid === kid);
  if (!found)
    throw new VaultError("key_unknown", "Encrypted with a key that is missing from VAULT_KEYS. Add that key again, after the active one.");
  return found;
}

export const hasKey = (kid: string): boolean => keyRing().some((each) => each.kid === kid);
