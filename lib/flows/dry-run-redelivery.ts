import type { WorkspaceId } from "#lib/contracts/ids";
import type { DryRunOutcome, DryRunSample } from "#lib/contracts/redeliveries";
import { listRedeliveryItems, type RedeliveryItem } from "#lib/deliveries/redelivery-item-store";
import { findRedelivery } from "#lib/deliveries/redelivery-store";
import { judge } from "#lib/views/judge";
import type { Touch } from "#lib/views/plan";
import type { Registers } from "#lib/views/register";
import { findRegisters, viewKeyText } from "#lib/views/view-store";
import { planDelivery } from "./plan-delivery.ts";

const SLICE = 500;
const SAMPLES_OF_EACH = 3;

type Records = Map<string, Registers>;

/**
 * What a frozen re-delivery would do, tried on the views as they are and written nowhere: the same plan and the
 * same fold as the worker's, one event after the other.
 *
 * @returns null when the workspace has no such redelivery
 */
export async function dryRunRedelivery(workspaceId: WorkspaceId, id: string): Promise<DryRunOutcome | null> {
  if (!(await findRedelivery(workspaceId, id))) return null;
  const records: Records = new Map();
  const outcome: DryRunOutcome = { total: 0, wouldChange: 0, appliedAlready: 0, stale: 0, noView: 0, stillFails: 0, samples: [] };
  for (let after: RedeliveryItem | null = null; ; ) {
    const items: RedeliveryItem[] = await listRedeliveryItems(workspaceId, id, after, SLICE);
    for (const sample of await trySlice(workspaceId, items, records)) add(outcome, sample);
    after = items.at(-1) ?? null;
    if (items.length < SLICE) return outcome;
  }
}

async function trySlice(workspaceId: WorkspaceId, items: RedeliveryItem[], records: Records): Promise<DryRunSample[]> {
  const planned = items.map((item) => ({ item, plan: planDelivery(item).plan }));
  const keyOf = ({ kind, id }: Touch) => viewKeyText({ workspaceId, kind, id });
  const touched = planned.flatMap(({ plan }) => (plan.outcome === "touches" ? plan.touches : []));
  const unread = new Map(touched.filter((touch) => !records.has(keyOf(touch))).map((touch) => [keyOf(touch), touch]));
  const found = await findRegisters([...unread.values()].map(({ kind, id }) => ({ workspaceId, kind, id })));
  for (const [key, registers] of found) records.set(key, registers);
  return planned.map(({ item: { eventId, type }, plan }): DryRunSample => {
    if (plan.outcome !== "touches") return { eventId, type, outcome: "still_fails", reason: plan.text, changes: [] };
    const registersOf = (touch: Touch) => records.get(keyOf(touch)) ?? {};
    const judgement = judge(eventId, plan.touches, registersOf, (touch, registers) => records.set(keyOf(touch), registers));
    return { eventId, type, reason: null, ...judgement };
  });
}

const COUNTERS = {
  would_change: "wouldChange",
  applied_already: "appliedAlready",
  stale: "stale",
  no_view: "noView",
  still_fails: "stillFails",
} as const;

function add(outcome: DryRunOutcome, sample: DryRunSample): void {
  outcome.total += 1;
  outcome[COUNTERS[sample.outcome]] += 1;
  if (outcome[COUNTERS[sample.outcome]] <= SAMPLES_OF_EACH) outcome.samples.push(sample);
}
