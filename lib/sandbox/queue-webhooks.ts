import {
  lateStory,
  missingStory,
  type SandboxBusyDays,
  type SandboxBusyDaysBody,
  type SandboxEventBody,
  type SandboxSent,
  type SandboxStoryBody,
  sandboxStory,
} from "#lib/contracts/sandbox";
import { tellBusyDays } from "./busy-days.ts";
import { findLastOfStory, insertAll } from "./deliveries-store.ts";
import { BEGUN_BY, tellLateStory, tellMissingStory } from "./missing-stories.ts";
import { type Outgoing, outgoingOf, outgoingOfStory } from "./outgoing.ts";
import { freshSeed, seededRandom } from "./random.ts";
import { type StoryEvent, tellStory } from "./stories.ts";

const AT_ONCE = 5000;

/** Queues one event, well-behaved or with a fault, for the sender. */
export function queueEvent(request: SandboxEventBody, now: Date): Promise<SandboxSent> {
  return queue(outgoingOf(request, seededRandom(freshSeed()), now), now);
}

/** Queues a whole story; its events become due one after another. */
export async function queueStory(request: SandboxStoryBody, now: Date): Promise<SandboxSent> {
  const seed = freshSeed();
  const events = await eventsOf(request, seed, now);
  return queue(outgoingOfStory(request.story, events, request.shuffled && events.length > 1, seededRandom(seed)), now);
}

async function eventsOf({ story, pace }: SandboxStoryBody, seed: number, now: Date): Promise<StoryEvent[]> {
  const missing = missingStory.safeParse(story);
  if (missing.success) return tellMissingStory(missing.data, { seed, now: now.getTime() });
  const late = lateStory.safeParse(story);
  if (late.success) return tellLateStory(late.data, await findLastOfStory(BEGUN_BY[late.data]), { seed, now: now.getTime() });
  return tellStory(sandboxStory.parse(story), { seed, startAt: now.getTime(), pace });
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
