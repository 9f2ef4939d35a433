import { actorName } from "#lib/auth/actor";
import type { Audit, Context } from "#lib/auth/audit/audit";
import { expectFound } from "#lib/contracts/api/app-error";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type {
  MissingEvent,
  MissingEventRestorationFilter,
  MissingEventRules,
  MissingEventsSetAside,
  OpenMissingEventFilter,
  SnoozeTime,
} from "#lib/contracts/missing-events";
import { inTransaction, pool } from "#lib/db/pool";
import {
  countByRule,
  dismissMissingEvent,
  markDismissed,
  markRestored,
  markSnoozed,
  ruleLabels,
} from "#lib/missing-events/missing-event-store";

export async function readRules(workspaceId: WorkspaceId): Promise<MissingEventRules> {
  const rules = await countByRule(workspaceId);
  return {
    total: rules.reduce((sum, { count }) => sum + count, 0),
    data: rules.map(({ rule, count, firstAt, lastAt }) => ({
      rule,
      what: ruleLabels(rule).what,
      count,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
  };
}

/** Dismisses a missing event; one that is not open stays as it is. @throws AppError `not_found` */
export async function dismiss({ actor, now, audit }: Context, id: string): Promise<MissingEvent> {
  const found = await expectFound(dismissMissingEvent(actor.workspaceId, id, actorName(actor), now), "missing event with that ID");
  const { missingEvent, dismissed } = found;
  const target = { kind: "missing_event", id, name: missingEvent.what };
  if (dismissed)
    await audit.record({ action: "missing_event.dismissed", target, before: { state: "open" }, after: { state: missingEvent.state } });
  else audit.unchanged();
  return missingEvent;
}

const HOUR_MS = 3_600_000;
const SNOOZES: Record<SnoozeTime, number | null> = { "1h": HOUR_MS, "1d": 24 * HOUR_MS, recurrence: null };

/** Dismisses matching missing events until they arrive, never without an audit entry. */
export function dismissMatching({ actor, now, audit }: Context, filter: OpenMissingEventFilter): Promise<MissingEventsSetAside> {
  return inTransaction(pool(), async (client) => {
    const dismissal = newId("dis");
    const count = await markDismissed(client, actor.workspaceId, filter, { dismissal, by: actorName(actor), now });
    if (count === 0) return nothing(audit);
    const [before, after] = [{ state: "open" }, { state: "dismissed", filter, count, dismissal }];
    await audit.record({ action: "missing_event.dismissed", ...targetOf(filter), before, after }, client);
    return { count, dismissal };
  });
}

/** Snoozes matching missing events for a time, or until new events raise the same suspicion again. */
export function snoozeMatching(
  { actor, now, audit }: Context,
  filter: OpenMissingEventFilter,
  time: SnoozeTime,
): Promise<MissingEventsSetAside> {
  const ms = SNOOZES[time];
  const until = ms === null ? null : new Date(now.getTime() + ms);
  return inTransaction(pool(), async (client) => {
    const dismissal = newId("dis");
    const count = await markSnoozed(client, actor.workspaceId, filter, { dismissal, by: actorName(actor), until });
    if (count === 0) return nothing(audit);
    const [before, after] = [
      { state: "open" },
      { state: "snoozed", filter, count, dismissal, until: until?.toISOString() ?? "recurrence" },
    ];
    await audit.record({ action: "missing_event.snoozed", ...targetOf(filter), before, after }, client);
    return { count, dismissal };
  });
}

export function restoreMatching({ actor, audit }: Context, filter: MissingEventRestorationFilter): Promise<{ restored: number }> {
  return inTransaction(pool(), async (client) => {
    const restored = await markRestored(client, actor.workspaceId, filter);
    if (restored === 0) audit.unchanged();
    else await audit.record({ action: "missing_event.restored", ...targetOf(filter), after: { state: "open", filter, restored } }, client);
    return { restored };
  });
}

/** Names a single event in the audit log; of many it has the filter. */
const targetOf = ({ ids }: { ids?: string[] | undefined }) =>
  ids?.length === 1 && ids[0] ? { target: { kind: "missing_event", id: ids[0] } } : {};

function nothing(audit: Audit): MissingEventsSetAside {
  audit.unchanged();
  return { count: 0, dismissal: null };
}
