import type pg from "pg";
import { detectSilence, recordArrival } from "#lib/missing-events/cadence";
import { listCadences, type SourceCadence, saveCadences } from "#lib/missing-events/cadence-store";
import type { WorkspaceRuleResult } from "#lib/missing-events/missing-event-store";
import { type RecentArrival, takeArrivals } from "#lib/missing-events/recent-arrival-store";
import { eventSeconds } from "#lib/platform/event-time";

const ARRIVALS_PER_WORKSPACE = 2000;
/** Of all workspaces together: what one statement reads is held in memory. */
const ARRIVALS = 20_000;
/** Limits a round to 20,000 arrivals of a workspace; the rest waits for the next. */
const BATCHES = 10;

/** Records arrivals and returns the silent sources. `more`: arrivals are left for the next round. */
export async function evaluateSources(client: pg.ClientBase, now: Date): Promise<{ silent: WorkspaceRuleResult[]; more: boolean }> {
  const cadences = new Map<string, SourceCadence>((await listCadences(client)).map((cadence) => [cadence.sourceId, cadence]));
  const changed = new Map<string, SourceCadence>();
  let more = true;
  for (let batch = 0; more && batch < BATCHES; batch += 1) {
    const page = await takeArrivals(client, ARRIVALS_PER_WORKSPACE, ARRIVALS);
    for (const cadence of recordArrivals(cadences, page.arrivals)) {
      cadences.set(cadence.sourceId, cadence);
      changed.set(cadence.sourceId, cadence);
    }
    ({ more } = page);
  }
  await saveCadences(client, [...changed.values()]);
  return { silent: [...cadences.values()].flatMap((cadence) => silentSource(cadence, now) ?? []), more };
}

function recordArrivals(cadences: Map<string, SourceCadence>, arrivals: RecentArrival[]): SourceCadence[] {
  return [...Map.groupBy(arrivals, ({ sourceId }) => sourceId)].flatMap(([sourceId, events]) => {
    const believed = events.map(({ eventId, created, receivedAt }) => ({
      eventId,
      created: eventSeconds(created, receivedAt),
      receivedAt: receivedAt.getTime(),
    }));
    const cadence = recordArrival(cadences.get(sourceId) ?? null, believed);
    const [first] = events;
    const receives = cadences.get(sourceId)?.receives ?? true;
    return first && cadence ? [{ ...cadence, sourceId, workspaceId: first.workspaceId, receives }] : [];
  });
}

function silentSource(cadence: SourceCadence, now: Date): WorkspaceRuleResult | null {
  const silence = cadence.receives ? detectSilence(cadence, now.getTime()) : null;
  if (!silence) return null;
  const candidate = { evidence: [cadence.lastEventId], detail: cadenceLabel(silence.usualSeconds), since: silence.since, patienceMs: 0 };
  return { workspaceId: cadence.workspaceId, rule: "source_silent", resource: { kind: "source", id: cadence.sourceId }, candidate };
}

const cadenceLabel = (seconds: number) =>
  `Its latest events arrived about ${seconds < 120 ? `${Math.max(1, seconds)} seconds` : `${Math.round(seconds / 60)} minutes`} apart.`;
