import { activeKey, hasKey } from "./key-ring.ts";
import { keyIdOf, open, seal } from "./vault.ts";

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
