import type pg from "pg";
import { type AlertCondition, type Counting, openEpisodes } from "#lib/alerts/episode-store";
import { writeNotifications } from "#lib/alerts/notification-store";
import { endSnoozesOnRecurrence } from "#lib/alerts/snooze-store";

/** Opens alerts with their notifications in the transaction of what caused them. @param counting new occurrences, or all there are */
export async function openAlerts(client: pg.PoolClient, conditions: AlertCondition[], counting: Counting): Promise<void> {
  if (conditions.length === 0) return;
  const ids = await openEpisodes(client, conditions, counting, true);
  await endSnoozesOnRecurrence(client, conditions);
  await writeNotifications(client, ids);
}
