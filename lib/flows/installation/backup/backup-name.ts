import { randomUUID } from "node:crypto";

/** A name for a new backup. Nobody else's may have it: what a failed run leaves under it is deleted. */
export function fileName(now: Date): string {
  const at = now.toISOString().slice(0, 19).replaceAll(":", "-");
  return `signalbox-${at}Z-${randomUUID().slice(0, 8)}.backup`;
}
