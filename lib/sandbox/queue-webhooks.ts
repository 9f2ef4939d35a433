import type { SandboxEventBody, SandboxSent, SandboxStoryBody } from "#lib/contracts/sandbox";
import { insertAll } from "./deliveries-store.ts";
import { type Outgoing, outgoingOf, outgoingOfStory } from "./outgoing.ts";
import { freshSeed, seededRandom } from "./random.ts";
import { tellStory } from "./stories.ts";

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

async function queue(webhooks: Outgoing[], now: Date): Promise<SandboxSent> {
  await insertAll(webhooks, now);
  return { queued: webhooks.length, eventIds: [...new Set(webhooks.map(({ eventId }) => eventId))] };
}
