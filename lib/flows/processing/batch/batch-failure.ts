import { codeOf } from "#lib/context/error-code";
import { isDatabaseUnavailable } from "#lib/db/unavailable";
import { deleteClaims } from "#lib/processing/inbox-claim-store";

/** PostgreSQL's codes for what the events' own content may cause, and for a statement that took too long. */
const CONTENT_CODES = /^(22|23|42|54|57014)/;

/** Whether a batch that failed this way is tried event by event at once. */
export const isContentError = (error: unknown): boolean =>
  CONTENT_CODES.test(codeOf(error)) || error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;

/** Whether a failure says nothing of the events. */
export const isDatabaseAway = (error: unknown): boolean => !isContentError(error) && isDatabaseUnavailable(error);

const rolledBack = new Set<number>();

/** Ends a claim whose transaction was rolled back while this process lives; when the database is away, as soon as it is back. */
export async function endClaim(claimId: number): Promise<void> {
  rolledBack.add(claimId);
  await endRolledBackClaims().catch(() => undefined);
}

/** Ends the claims that could not be ended before. */
export async function endRolledBackClaims(): Promise<void> {
  if (rolledBack.size === 0) return;
  const ids = [...rolledBack];
  await deleteClaims(ids);
  for (const id of ids) rolledBack.delete(id);
}
