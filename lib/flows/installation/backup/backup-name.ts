import { randomUUID } from "node:crypto";

/** Returns a name that no other run has: what a failed run leaves under it is deleted. */
export function fileName(now: Date): string {
  const at = now.toISOString().slice(0, 19).replaceAll(":", "-");
  return `signalbox-${at}Z-${randomUUID().slice(0, 8)}.backup`;
}
