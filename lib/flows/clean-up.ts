import { deleteExpiredSessions } from "#lib/auth/session-store";
import { deleteOldAttempts } from "#lib/connections/authorization-attempt-store";
import { pruneQuarantine } from "#lib/events/quarantine-store";

const DAY_MS = 86_400_000;

/** Removes what has outlived its use: expired sessions, trips to the permission dialog a day after their end, quarantine beyond its bounds. */
export async function cleanUp(now = new Date()): Promise<{ sessions: number; attempts: number; quarantined: number }> {
  return {
    sessions: await deleteExpiredSessions(now),
    attempts: await deleteOldAttempts(new Date(now.getTime() - DAY_MS)),
    quarantined: await pruneQuarantine(),
  };
}
