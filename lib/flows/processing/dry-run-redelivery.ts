import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { DryRunOutcome, DryRunSample } from "#lib/contracts/redeliveries";
import { pool } from "#lib/db/pool";
import { inTurn } from "#lib/flows/views/fold-history";
import { findRedelivery, listRedeliveryItems, type RedeliveryItem } from "#lib/processing/redelivery-store";
import { findReadings } from "#lib/sources/reading-store";
import type { Touch } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";
import { dryRun } from "#lib/views/record-differences";
import { findRegisters, viewKeyText } from "#lib/views/view-store";
import { planDelivery } from "./plan-delivery.ts";

const SLICE = { limit: 500, bytes: 4 * 1_048_576 };
/** Bytes of events after which a dry run ends. */
const MAX_BYTES = 64 * 1_048_576;
const SAMPLES_OF_EACH = 3;

type Records = Map<string, Registers>;

/** Tries a frozen re-delivery on the present views with the worker's plan and fold, and writes nothing. @throws AppError `unavailable` */
export async function dryRunRedelivery(workspaceId: WorkspaceId, id: string): Promise<DryRunOutcome | null> {
  const redelivery = await findRedelivery(workspaceId, id);
  return redelivery && inTurn(() => tryAll(workspaceId, id, redelivery.total - redelivery.expired));
}

async function tryAll(workspaceId: WorkspaceId, id: string, total: number): Promise<DryRunOutcome> {
  const records: Records = new Map();
  const outcome: DryRunOutcome = {
    total: 0,
    wouldChange: 0,
    appliedAlready: 0,
    stale: 0,
    noView: 0,
    stillFails: 0,
    untried: 0,
    samples: [],
  };
  let bytes = 0;
  for (let after: RedeliveryItem | null = null; bytes < MAX_BYTES; ) {
    const items: RedeliveryItem[] = await listRedeliveryItems(workspaceId, id, after, SLICE);
    after = items.at(-1) ?? null;
    if (after === null) return outcome;
    for (const sample of await trySlice(workspaceId, items, records)) add(outcome, sample);
    bytes += items.reduce((sum, { body }) => sum + body.length, 0);
  }
  const untried = Math.max(0, total - outcome.total);
  return { ...outcome, untried, total: outcome.total + untried };
}

async function trySlice(workspaceId: WorkspaceId, items: RedeliveryItem[], records: Records): Promise<DryRunSample[]> {
  const readings = await findReadings(pool(), [...new Set(items.map(({ sourceId }) => sourceId))]);
  const planned = items.map((item) => ({ item, plan: planDelivery(item, readings).plan }));
  const keyOf = ({ kind, id }: Touch) => viewKeyText({ workspaceId, kind, id });
  const touched = planned.flatMap(({ plan }) => (plan.outcome === "touches" ? plan.touches : []));
  const unread = new Map(touched.filter((touch) => !records.has(keyOf(touch))).map((touch) => [keyOf(touch), touch]));
  const found = await findRegisters([...unread.values()].map(({ kind, id }) => ({ workspaceId, kind, id })));
  for (const [key, registers] of found) records.set(key, registers);
  return planned.map(({ item: { eventId, type }, plan }): DryRunSample => {
    if (plan.outcome !== "touches") return { eventId, type, outcome: "still_fails", reason: plan.text, changes: [] };
    const registersOf = (touch: Touch) => records.get(keyOf(touch)) ?? {};
    const result = dryRun(eventId, plan.touches, registersOf, (touch, registers) => records.set(keyOf(touch), registers));
    return { eventId, type, reason: null, ...result };
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
