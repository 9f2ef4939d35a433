import {
  lateScenario,
  missingScenario,
  type SandboxEventBody,
  type SandboxScenarioBody,
  type SandboxSent,
  type SandboxTraffic,
  type SandboxTrafficBody,
  sandboxScenario,
} from "#lib/contracts/sandbox";
import { freshSeed, seededRandom } from "#lib/sandbox/payloads";
import {
  BEGUN_BY,
  buildLateScenario,
  buildMissingScenario,
  buildScenario,
  generateTraffic,
  type ScenarioEvent,
} from "#lib/sandbox/scenarios";
import { findLastOfScenario, insertAll } from "./deliveries-store.ts";
import { type Outgoing, outgoingOf, outgoingOfScenario } from "./outgoing.ts";

const AT_ONCE = 5000;

export function queueEvent(workspaceId: string, request: SandboxEventBody, now: Date): Promise<SandboxSent> {
  return queue(workspaceId, outgoingOf(request, seededRandom(freshSeed()), now), now);
}

export async function queueScenario(workspaceId: string, request: SandboxScenarioBody, now: Date): Promise<SandboxSent> {
  const seed = freshSeed();
  const events = await eventsOf(workspaceId, request, seed, now);
  return queue(workspaceId, outgoingOfScenario(request.scenario, events, request.shuffled && events.length > 1, seededRandom(seed)), now);
}

async function eventsOf(workspaceId: string, { scenario, pace }: SandboxScenarioBody, seed: number, now: Date): Promise<ScenarioEvent[]> {
  const missing = missingScenario.safeParse(scenario);
  if (missing.success) return buildMissingScenario(missing.data, { seed, now: now.getTime() });
  const late = lateScenario.safeParse(scenario);
  if (late.success)
    return buildLateScenario(late.data, await findLastOfScenario(workspaceId, BEGUN_BY[late.data]), { seed, now: now.getTime() });
  return buildScenario(sandboxScenario.parse(scenario), { seed, startAt: now.getTime(), pace });
}

/** Queues the events of many documents, all due at once. */
export async function queueTraffic(
  workspaceId: string,
  { documents, days, seed = freshSeed() }: SandboxTrafficBody,
  now: Date,
): Promise<SandboxTraffic> {
  const envelopes = generateTraffic({ seed, documents, days, endAt: Math.floor(now.getTime() / 1000) });
  const events = envelopes.map((envelope) => ({ envelope, afterMs: 0 }));
  const { queued } = await queue(workspaceId, outgoingOfScenario("generated_traffic", events, false, seededRandom(seed)), now);
  return { queued, seed };
}

async function queue(workspaceId: string, webhooks: Outgoing[], now: Date): Promise<SandboxSent> {
  for (let first = 0; first < webhooks.length; first += AT_ONCE) await insertAll(workspaceId, webhooks.slice(first, first + AT_ONCE), now);
  return { queued: webhooks.length, eventIds: [...new Set(webhooks.map(({ eventId }) => eventId))] };
}
