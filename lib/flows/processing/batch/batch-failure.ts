import { isLockConflict } from "#lib/db/lock-conflict";
import { STATEMENT_LIMIT_MS } from "#lib/db/pool";
import { isDatabaseUnavailable } from "#lib/db/unavailable";
import { codeOf } from "#lib/observability/error-code";
import { deleteClaims } from "#lib/processing/inbox-claim-store";

/** PostgreSQL's codes for faults of the events' content, and for a statement that took too long: lock waits have their own limit. */
const CONTENT_CODES = /^(22|23|42|54|57014)/;

const CANCELLED = "57014";

/** True if a batch that failed this way is tried event by event at once. */
export const isContentError = (error: unknown): boolean =>
  CONTENT_CODES.test(codeOf(error)) || error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;

/** True if the failure of a lone event after so many milliseconds says nothing of it. A person may cancel a statement before its limit. */
export const isNoFaultOf = (error: unknown, ms: number): boolean =>
  isLockConflict(error) || (codeOf(error) === CANCELLED && ms < STATEMENT_LIMIT_MS);

/** True if the database is unavailable: the failure says nothing of the events. */
export const isDatabaseAway = (error: unknown): boolean => !isContentError(error) && isDatabaseUnavailable(error);

const rolledBack = new Set<number>();

/** Ends a claim whose transaction was rolled back; while the database is unavailable, as soon as it is back. */
export async function endClaim(claimId: number): Promise<void> {
  rolledBack.add(claimId);
  await endRolledBackClaims().catch(() => undefined);
}

export async function endRolledBackClaims(): Promise<void> {
  if (rolledBack.size === 0) return;
  const ids = [...rolledBack];
  await deleteClaims(ids);
  for (const id of ids) rolledBack.delete(id);
}
