import { CLOCK_TOLERANCE_S, MICROSECONDS_FROM, MILLISECONDS_FROM } from "#lib/contracts/events/event-time";

/** Returns SQL for an event's Unix seconds, as `eventSeconds` (lib/platform/event-time.ts) reads them. @param table alias of `events` */
export function eventSecondsSql(table: string): string {
  const [created, received] = [`${table}.created`, `floor(extract(epoch FROM ${table}.received_at))::bigint`];
  const seconds = `(CASE WHEN ${created} >= ${MICROSECONDS_FROM} THEN ${created} / 1000000
    WHEN ${created} >= ${MILLISECONDS_FROM} THEN ${created} / 1000 ELSE ${created} END)`;
  return `(CASE WHEN ${created} > 0 AND ${seconds} <= ${received} + ${CLOCK_TOLERANCE_S} THEN ${seconds} ELSE ${received} END)`;
}
