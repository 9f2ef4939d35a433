import { deleteOldAlerts } from "#lib/alerts/alert-store";
import { deleteOldTests } from "#lib/alerts/notification-store";
import { deleteExpiredRequests } from "#lib/api/idempotency-store";
import { deleteOldChallenges } from "#lib/auth/factors/passkey-store";
import { deleteExpiredSessions } from "#lib/auth/session-store";
import { deleteOldDevices, deleteOldTries } from "#lib/auth/sign-in/attempt-store";
import { deleteOldAttempts } from "#lib/connections/connection-store";
import { cancelOrphans, deleteOldMinutes } from "#lib/forwarding/delivery-store";
import { deleteGoneListeners, deleteOldLocalDeliveries } from "#lib/listeners/listener-store";
import { deleteOldBatches, deleteOldOutages, deleteOldRuns } from "#lib/outages/outage-store";
import { deleteEmptyClaims } from "#lib/processing/inbox-store";
import { deleteOldRanges } from "#lib/processing/log-range-store";
import { deleteHeldRedeliveries } from "#lib/processing/redelivery-store";
import { deleteOldRejections, pruneUnverified } from "#lib/quarantine/quarantine-store";

const DAY_MS = 86_400_000;
const LOCAL_DAYS = 30;

/** Deletes what has outlived its use, as each store defines it, and returns the counts. */
export async function cleanUp(now: Date): Promise<Record<string, number>> {
  return {
    sessions: await deleteExpiredSessions(now),
    tries: await deleteOldTries(now),
    challenges: await deleteOldChallenges(now),
    devices: await deleteOldDevices(now),
    attempts: await deleteOldAttempts(new Date(now.getTime() - DAY_MS)),
    requests: await deleteExpiredRequests(now),
    heldRedeliveries: await deleteHeldRedeliveries(new Date(now.getTime() - DAY_MS)),
    claims: await deleteEmptyClaims(),
    ranges: await deleteOldRanges(),
    quarantined: await pruneUnverified(),
    rejections: await deleteOldRejections(),
    outages: await deleteOldOutages(),
    batches: await deleteOldBatches(),
    receiverRuns: await deleteOldRuns(),
    listeners: await deleteGoneListeners(),
    localDeliveries: await deleteOldLocalDeliveries(new Date(now.getTime() - LOCAL_DAYS * DAY_MS)),
    deliveries: await cancelOrphans(),
    minutes: await deleteOldMinutes(),
    alerts: await deleteOldAlerts(),
    alertTests: await deleteOldTests(now),
  };
}
