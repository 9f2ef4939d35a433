import { AppError } from "#lib/contracts/api/app-error";
import type { LateScenario, MissingScenario } from "#lib/contracts/sandbox";
import type { EventType } from "#lib/platform/event-catalogue";
import { ACCOUNTS } from "#lib/sandbox/oauth/registered-app";
import { type Cast, castOf } from "./cast.ts";
import { PAYLOADS, stageMove } from "./payloads.ts";
import { type Random, seededRandom } from "./random.ts";
import type { SandboxEnvelope, ScenarioEvent } from "./scenarios.ts";

type Data = Record<string, unknown>;
/** `ago`: seconds since the platform created it. */
type Scene = { type: EventType; ago: number; data?: (cast: Cast) => Data };

const MINUTE = 60;
/** Evenly spaced events, then nothing: a usual pace and its end. */
const HEARTBEATS = 24;

const MISSING: Record<MissingScenario, readonly Scene[]> = {
  task_never_created: [
    { type: "task.assigned", ago: 20 * MINUTE },
    { type: "task.completed", ago: 10 * MINUTE },
  ],
  upload_never_received: [{ type: "document.processed", ago: 10 * MINUTE }],
  run_never_ends: [{ type: "automation.triggered", ago: 45 * MINUTE }],
  stage_never_entered: [
    { type: "task.created", ago: 20 * MINUTE },
    { type: "pipeline.stage_changed", ago: 10 * MINUTE, data: (cast) => stageMove(cast, 1) },
  ],
  // The account that the consent page offers first: another one's event would say nothing about our connection.
  disconnected_yet_working: [
    { type: "integration.disconnected", ago: 0, data: (cast) => ({ ...cast.integration, account: ACCOUNTS[0].name }) },
  ],
  source_stops_sending: Array.from({ length: HEARTBEATS }, (_, index) => ({
    type: "document.uploaded" as const,
    ago: (HEARTBEATS - index) * MINUTE,
  })),
};

export const BEGUN_BY: Record<LateScenario, MissingScenario> = {
  task_created_late: "task_never_created",
  upload_received_late: "upload_never_received",
  run_ends_late: "run_never_ends",
  stage_entered_late: "stage_never_entered",
  reconnected_late: "disconnected_yet_working",
  source_resumes_sending: "source_stops_sending",
};

/** `after`: seconds from the event that implies it. */
const LATE: Record<LateScenario, { type: EventType; after: number | "now"; data?: (cast: Cast, dropped: Data) => Data }> = {
  task_created_late: { type: "task.created", after: -15 * MINUTE },
  upload_received_late: { type: "document.uploaded", after: -5 * MINUTE },
  run_ends_late: { type: "automation.completed", after: "now" },
  stage_entered_late: {
    type: "pipeline.stage_changed",
    after: -5 * MINUTE,
    data: (cast, dropped) => ({ ...stageMove(cast, 0), toStage: dropped.fromStage }),
  },
  reconnected_late: { type: "integration.connected", after: "now" },
  source_resumes_sending: { type: "document.uploaded", after: "now" },
};

/** Fields that tie the late event to the scenario. */
const IDS = ["taskId", "documentId", "pipelineId", "automationId", "automationName", "runId", "integrationId", "provider", "account"];

/** Returns the events of a scenario that drops one. Pure. `now`: Unix milliseconds. */
export function buildMissingScenario(scenario: MissingScenario, { seed, now }: { seed: number; now: number }): ScenarioEvent[] {
  const random = seededRandom(seed);
  const cast = castOf(random);
  return MISSING[scenario].map(({ type, ago, data }) => ({
    envelope: envelopeOf(type, Math.floor(now / 1000) - ago, data ? data(cast) : PAYLOADS[type](cast, random), random),
    afterMs: 0,
  }));
}

/** Returns the event that the last such scenario dropped. `dropped` is that scenario's last event; without it throws `conflict`. */
export function buildLateScenario(
  scenario: LateScenario,
  dropped: SandboxEnvelope | null,
  { seed, now }: { seed: number; now: number },
): ScenarioEvent[] {
  if (!dropped) throw new AppError("conflict", "No event was dropped yet. Run the scenario that drops it first.");
  const random = seededRandom(seed);
  const cast = castOf(random);
  const { type, after, data } = LATE[scenario];
  const created = after === "now" ? Math.max(Math.floor(now / 1000), dropped.created + 1) : dropped.created + after;
  const fresh = data ? data(cast, dropped.data) : PAYLOADS[type](cast, random);
  const ids = Object.fromEntries(Object.entries(dropped.data).filter(([name]) => IDS.includes(name) && name in fresh));
  return [{ envelope: envelopeOf(type, created, { ...fresh, ...ids }, random), afterMs: 0 }];
}

const envelopeOf = (type: EventType, created: number, data: Data, random: Random): SandboxEnvelope => ({
  id: random.id("evt"),
  type,
  created,
  data,
});
