import { AppError } from "#lib/contracts/app-error";
import type { LateStory, MissingStory } from "#lib/contracts/sandbox";
import type { EventType } from "#lib/platform/event-catalogue";
import { type Cast, castOf } from "./cast.ts";
import { PAYLOADS, stageMove } from "./payloads.ts";
import { type Random, seededRandom } from "./random.ts";
import type { SandboxEnvelope, StoryEvent } from "./stories.ts";

/** Stories in which an event never comes, and the event that came late after all. */

type Data = Record<string, unknown>;
/** One event of a story: how long ago the platform made it, in seconds. */
type Scene = { type: EventType; ago: number; data?: (cast: Cast) => Data };

const MINUTE = 60;
/** So many events, evenly spaced, then nothing: a usual pace and its end. */
const HEARTBEATS = 24;

const MISSING: Record<MissingStory, readonly Scene[]> = {
  task_never_created: [
    { type: "task.assigned", ago: 20 * MINUTE },
    { type: "task.completed", ago: 10 * MINUTE },
  ],
  upload_never_came: [{ type: "document.processed", ago: 10 * MINUTE }],
  run_never_ends: [{ type: "automation.triggered", ago: 45 * MINUTE }],
  stage_never_entered: [
    { type: "task.created", ago: 20 * MINUTE },
    { type: "pipeline.stage_changed", ago: 10 * MINUTE, data: (cast) => stageMove(cast, 1) },
  ],
  disconnected_yet_working: [{ type: "integration.disconnected", ago: 0 }],
  source_falls_silent: Array.from({ length: HEARTBEATS }, (_, index) => ({
    type: "document.uploaded" as const,
    ago: (40 + 3 * (HEARTBEATS - index)) * MINUTE,
  })),
};

/** What each late story is the end of. */
export const BEGUN_BY: Record<LateStory, MissingStory> = {
  task_created_late: "task_never_created",
  upload_came_late: "upload_never_came",
  run_ends_late: "run_never_ends",
  stage_entered_late: "stage_never_entered",
  connected_again: "disconnected_yet_working",
  source_speaks_again: "source_falls_silent",
};

/** The event that was missing; `after` seconds from the event that raised the suspicion, or now. */
const LATE: Record<LateStory, { type: EventType; after: number | "now"; data?: (cast: Cast, told: Data) => Data }> = {
  task_created_late: { type: "task.created", after: -15 * MINUTE },
  upload_came_late: { type: "document.uploaded", after: -5 * MINUTE },
  run_ends_late: { type: "automation.completed", after: "now" },
  stage_entered_late: {
    type: "pipeline.stage_changed",
    after: -5 * MINUTE,
    data: (cast, told) => ({ ...stageMove(cast, 0), toStage: told.fromStage }),
  },
  connected_again: { type: "integration.connected", after: "now" },
  source_speaks_again: { type: "document.uploaded", after: "now" },
};

/** The fields by which the late event is known to belong to the story. */
const IDS = ["taskId", "documentId", "pipelineId", "automationId", "automationName", "runId", "integrationId", "provider", "account"];

/**
 * Tells a story in which something never comes. Pure.
 *
 * @param now Unix milliseconds
 */
export function tellMissingStory(story: MissingStory, { seed, now }: { seed: number; now: number }): StoryEvent[] {
  const random = seededRandom(seed);
  const cast = castOf(random);
  return MISSING[story].map(({ type, ago, data }) => ({
    envelope: envelopeOf(type, Math.floor(now / 1000) - ago, data ? data(cast) : PAYLOADS[type](cast, random), random),
    afterMs: 0,
  }));
}

/**
 * Sends what never came in the story that was told last.
 *
 * @param told the last event of that story; null when none was told
 * @throws AppError `conflict` without one
 */
export function tellLateStory(story: LateStory, told: SandboxEnvelope | null, { seed, now }: { seed: number; now: number }): StoryEvent[] {
  if (!told) throw new AppError("conflict", "Nothing is missing yet. Tell the story in which it never comes first.");
  const random = seededRandom(seed);
  const cast = castOf(random);
  const { type, after, data } = LATE[story];
  const created = after === "now" ? Math.max(Math.floor(now / 1000), told.created + 1) : told.created + after;
  const fresh = data ? data(cast, told.data) : PAYLOADS[type](cast, random);
  const ids = Object.fromEntries(Object.entries(told.data).filter(([name]) => IDS.includes(name) && name in fresh));
  return [{ envelope: envelopeOf(type, created, { ...fresh, ...ids }, random), afterMs: 0 }];
}

const envelopeOf = (type: EventType, created: number, data: Data, random: Random): SandboxEnvelope => ({
  id: random.id("evt"),
  type,
  created,
  data,
});
