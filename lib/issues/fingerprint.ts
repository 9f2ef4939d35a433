import { createHash } from "node:crypto";
import type { IssueOrigin } from "#lib/contracts/issues";

/** Properties that make two failures the same: the kind of error, the event's type, the place. */
export type Fingerprint = { origin: IssueOrigin; code: string; type: string; place: string };

const MAX_PLACE = 200;

/**
 * The issue's id: the same for the same failure, whichever worker sees it.
 *
 * @returns `iss_` and 24 hexadecimal digits (96 bits)
 */
export function issueIdOf(workspaceId: string, { origin, code, type, place }: Fingerprint): string {
  const hash = createHash("sha256").update(JSON.stringify([workspaceId, origin, code, type, place]));
  return `iss_${hash.digest("hex").slice(0, 24)}`;
}

/**
 * An error's words without what differs from event to event: quoted text, ids
 * and numbers. Two failures with the same words left are the same failure.
 */
export function wordsWithoutParticulars(text: string): string {
  return text
    .replace(/"[^"]*"|'[^']*'|“[^”]*”/g, "…")
    .replace(/\b\w*\d[\w-]*/g, "…")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_PLACE)
    .toWellFormed();
}
