import { deleteOldDevices } from "#lib/auth/known-device-store";
import { deleteExpiredSessions } from "#lib/auth/session-store";
import { deleteOldTries } from "#lib/auth/sign-in-failure-store";
import { deleteOldAttempts } from "#lib/connections/authorization-attempt-store";
import { deleteHeldRedeliveries } from "#lib/deliveries/redelivery-store";
import { pruneQuarantine } from "#lib/events/quarantine-store";
import { deleteExpiredRequests } from "#lib/http/idempotency-store";

const DAY_MS = 86_400_000;

type Cleaned = Record<"sessions" | "tries" | "devices" | "attempts" | "requests" | "heldRedeliveries" | "quarantined", number>;

/** Removes what has outlived its use: expired sessions, failures and browsers of long ago, trips to the permission dialog a day after their end, answers kept for repeats, re-deliveries that were frozen and never begun, quarantine beyond its bounds. */
export async function cleanUp(now = new Date()): Promise<Cleaned> {
  return {
    sessions: await deleteExpiredSessions(now),
    tries: await deleteOldTries(now),
    devices: await deleteOldDevices(now),
    attempts: await deleteOldAttempts(new Date(now.getTime() - DAY_MS)),
    requests: await deleteExpiredRequests(now),
    heldRedeliveries: await deleteHeldRedeliveries(new Date(now.getTime() - DAY_MS)),
    quarantined: await pruneQuarantine(),
  };
}
