import type { SandboxScenario } from "#lib/contracts/sandbox";
import type { EventType } from "#lib/platform/event-catalogue";
import { type Cast, castOf } from "./cast.ts";
import { PAYLOADS, stageMove } from "./payloads.ts";
import { type Random, seededRandom } from "./random.ts";

/** `created` in Unix seconds. */
export type SandboxEnvelope = { id: string; type: string; created: number; data: Record<string, unknown> };

/** `afterMs` counts from the scenario's start. */
export type ScenarioEvent = { envelope: SandboxEnvelope; afterMs: number };

type Scene = EventType | { move: number };

/** `move`: from that stage of the pipeline to the next. */
const SCENES: Record<SandboxScenario, readonly Scene[]> = {
  document_to_done: [
    "document.uploaded",
    "document.processed",
    "task.created",
    "ai.classification_complete",
    "task.assigned",
    { move: 0 },
    { move: 1 },
    "automation.triggered",
    "automation.completed",
    { move: 2 },
    "task.completed",
  ],
  document_fails: ["document.uploaded", "document.error"],
  automation_run: ["automation.triggered", "automation.completed"],
  automation_fails: ["automation.triggered", "automation.error"],
  integration_lifecycle: ["integration.connected", "integration.token_refresh", "integration.error", "integration.disconnected"],
};

/** Returns the events of a scenario. Pure: the same seed and `startAt` (Unix milliseconds) give the same events. */
export function buildScenario(
  scenario: SandboxScenario,
  { seed, startAt, pace }: { seed: number; startAt: number; pace: number },
): ScenarioEvent[] {
  const random = seededRandom(seed);
  const cast = castOf(random);
  const scenes = SCENES[scenario];
  const created = creationTimes(scenes.length, startAt, pace);
  return scenes.map((scene, index) => ({
    envelope: { id: random.id("evt"), created: created[index] ?? 0, ...play(scene, cast, random) },
    afterMs: index * pace,
  }));
}

function play(scene: Scene, cast: Cast, random: Random): { type: EventType; data: Record<string, unknown> } {
  if (typeof scene === "object") return { type: "pipeline.stage_changed", data: stageMove(cast, scene.move) };
  return { type: scene, data: PAYLOADS[scene](cast, random) };
}

/** Returns Unix seconds, never later than the event is sent, and never the same second twice, whose order would be undefined. */
function creationTimes(count: number, startAt: number, pace: number): number[] {
  const times: number[] = [];
  for (let index = count - 1, next = Number.POSITIVE_INFINITY; index >= 0; index -= 1) {
    next = Math.min(Math.floor((startAt + index * pace) / 1000), next - 1);
    times.unshift(next);
  }
  return times;
}
