import type pg from "pg";
import type { Channel } from "./listen.ts";

const GATHER_MS = 20;
const waiting = new WeakMap<pg.Pool, Map<string, NodeJS.Timeout>>();

/**
 * Tells every listening process that something happened, soon: notifications
 * to the same channel and workspace within 20 ms become one, sent outside any
 * transaction (inside one, pg_notify makes all commits queue up).
 *
 * @param payload a workspace id, or empty
 */
export function notifySoon(from: pg.Pool, channel: Channel, payload: string): void {
  const pending = waiting.get(from) ?? new Map<string, NodeJS.Timeout>();
  waiting.set(from, pending);
  const key = `${channel} ${payload}`;
  if (pending.has(key)) return;
  pending.set(
    key,
    setTimeout(() => {
      pending.delete(key);
      from.query("SELECT pg_notify($1, $2)", [`signalbox_${channel}`, payload]).catch(() => undefined); // a hint, see Channel
    }, GATHER_MS),
  );
}
