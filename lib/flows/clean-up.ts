import { deleteExpiredSessions } from "#lib/auth/session-store";
import { pruneQuarantine } from "#lib/events/quarantine-store";

/** Removes what has outlived its use: expired sessions, and quarantine beyond its bounds. */
export async function cleanUp(now = new Date()): Promise<{ sessions: number; quarantined: number }> {
  return { sessions: await deleteExpiredSessions(now), quarantined: await pruneQuarantine() };
}
