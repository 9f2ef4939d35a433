import type pg from "pg";
import { type AlertCondition, type Counting, openEpisodes } from "#lib/alerts/episode-store";
import { writeNotifications } from "#lib/alerts/notification-store";
import { endSnoozesOnRecurrence } from "#lib/alerts/snooze-store";

/**
 * Notes that something needs a person, in the transaction of what made it so,
 * with the notifications that follow from it.
 *
 * @param counting whether the conditions count what is new, or all there is
 */
export async function openAlerts(client: pg.PoolClient, conditions: AlertCondition[], counting: Counting): Promise<void> {
  if (conditions.length === 0) return;
  const ids = await openEpisodes(client, conditions, counting, true);
  await endSnoozesOnRecurrence(client, conditions);
  await writeNotifications(client, ids);
}
