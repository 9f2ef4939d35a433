import { createHash } from "node:crypto";
import type { IssueOrigin } from "#lib/contracts/issues";

export type Fingerprint = { origin: IssueOrigin; code: string; type: string; place: string };

const MAX_PLACE = 200;

/** Returns the same ID for the same failure: `iss_` and 24 hexadecimal digits (96 bits). */
export function issueIdOf(workspaceId: string, { origin, code, type, place }: Fingerprint): string {
  const hash = createHash("sha256").update(JSON.stringify([workspaceId, origin, code, type, place]));
  return `iss_${hash.digest("hex").slice(0, 24)}`;
}

/** Removes what differs from event to event: quoted text, IDs and numbers. Failures with the same words left are the same. */
export function wordsWithoutParticulars(text: string): string {
  return text
    .replace(/"[^"]*"|'[^']*'|“[^”]*”/g, "…")
    .replace(/\b\w*\d[\w-]*/g, "…")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_PLACE)
    .toWellFormed();
}
