import { activeKey, hasKey } from "./key-ring.ts";
import { keyIdOf, open, seal } from "./vault.ts";

/** The key that a row is sealed with, and whether that is the active one, an old one, or none that we have. */
export type KeyState = { keyId: string; place: "active" | "old" | "missing" };

/** Of several values the one that stands worst counts. */
export function keyStateOf(sealed: string[]): KeyState {
  const active = activeKey().kid;
  const ids = sealed.map(readKeyId);
  const other = ids.find((id) => !hasKey(id)) ?? ids.find((id) => id !== active);
  if (other === undefined) return { keyId: active, place: "active" };
  return { keyId: other, place: hasKey(other) ? "old" : "missing" };
}

/** Returns what is no sealed text at all was sealed with no key. */
function readKeyId(sealed: string): string {
  try {
    return keyIdOf(sealed);
  } catch {
    return "(unreadable)";
  }
}

type Home = { workspaceId: string; table: string; row: string };

/** @throws VaultError when it can't be opened */
export async function resealedValue({ workspaceId, table, row }: Home, { field, sealed }: { field: string; sealed: string }) {
  const place = { workspaceId, table, row, field };
  return seal(await open(sealed, place), place);
}
