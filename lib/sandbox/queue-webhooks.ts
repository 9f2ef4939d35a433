import type { SandboxBusyDays, SandboxBusyDaysBody, SandboxEventBody, SandboxSent, SandboxStoryBody } from "#lib/contracts/sandbox";
import { tellBusyDays } from "./busy-days.ts";
import { insertAll } from "./deliveries-store.ts";
import { type Outgoing, outgoingOf, outgoingOfStory } from "./outgoing.ts";
import { freshSeed, seededRandom } from "./random.ts";
import { tellStory } from "./stories.ts";

const AT_ONCE = 5000;

/** Queues one event, well-behaved or with a fault, for the sender. */
export function queueEvent(request: SandboxEventBody, now: Date): Promise<SandboxSent> {
  return queue(outgoingOf(request, seededRandom(freshSeed()), now), now);
}

/** Queues a whole story; its events become due one after another. */
export function queueStory({ story, pace, shuffled }: SandboxStoryBody, now: Date): Promise<SandboxSent> {
  const seed = freshSeed();
  const events = tellStory(story, { seed, startAt: now.getTime(), pace });
  return queue(outgoingOfStory(story, events, shuffled, seededRandom(seed)), now);
}

/** Queues the events of many documents, all due at once: they are sent as fast as they are taken. */
export async function queueBusyDays({ documents, days, seed = freshSeed() }: SandboxBusyDaysBody, now: Date): Promise<SandboxBusyDays> {
  const envelopes = tellBusyDays({ seed, documents, days, endAt: Math.floor(now.getTime() / 1000) });
  const events = envelopes.map((envelope) => ({ envelope, afterMs: 0 }));
  const { queued } = await queue(outgoingOfStory("busy_days", events, false, seededRandom(seed)), now);
  return { queued, seed };
}

async function queue(webhooks: Outgoing[], now: Date): Promise<SandboxSent> {
  for (let first = 0; first < webhooks.length; first += AT_ONCE) await insertAll(webhooks.slice(first, first + AT_ONCE), now);
  return { queued: webhooks.length, eventIds: [...new Set(webhooks.map(({ eventId }) => eventId))] };
}
