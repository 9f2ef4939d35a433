import { AppError } from "#lib/contracts/api/app-error";
import type { LateScenario, MissingScenario, SandboxScenario } from "#lib/contracts/sandbox";
import type { EventType } from "#lib/platform/event-catalogue";
import { ACCOUNTS } from "./oauth/authorization-request.ts";
import { type Cast, castOf, PAYLOADS, type Random, seededRandom, stageMove } from "./payloads.ts";

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

type Data = Record<string, unknown>;
/** `ago`: seconds since the platform created it. */
type MissingScene = { type: EventType; ago: number; data?: (cast: Cast) => Data };

const MINUTE = 60;
/** Evenly spaced events, then nothing: a usual pace and its end. */
const HEARTBEATS = 24;

const MISSING: Record<MissingScenario, readonly MissingScene[]> = {
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

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;
/** UTC; nine in ten documents arrive then. */
const OFFICE = { from: 7, to: 18 } as const;

type Move = { move: number };
type TrafficScene = EventType | Move;

const READ: TrafficScene[] = ["document.uploaded", "document.processed", "task.created", "ai.classification_complete", "task.assigned"];
const RUN: TrafficScene[] = ["automation.triggered", "automation.completed"];

/** Ways of a document, and how many of a hundred take each. */
const WAYS: { share: number; scenes: TrafficScene[] }[] = [
  { share: 58, scenes: [...READ, { move: 0 }, { move: 1 }, ...RUN, { move: 2 }, "task.completed"] },
  { share: 12, scenes: [...READ, { move: 0 }, { move: 1 }] },
  { share: 10, scenes: [...READ, { move: 0 }] },
  { share: 6, scenes: READ },
  { share: 4, scenes: ["document.uploaded", "document.error"] },
  { share: 4, scenes: [...READ, { move: 0 }, { move: 1 }, "automation.triggered", "automation.error"] },
  { share: 3, scenes: ["document.uploaded", "document.processed", "document.deleted"] },
  { share: 2, scenes: ["document.uploaded"] },
  { share: 1, scenes: ["integration.connected", "integration.error", "integration.token_refresh"] },
];

/** Returns events in order of creation, none after `endAt` (Unix seconds). Pure: the same seed and end give the same events. */
export function generateTraffic({ seed, documents, days, endAt }: { seed: number; documents: number; days: number; endAt: number }) {
  const random = seededRandom(seed);
  const span = Math.max(HOUR_SECONDS, days * DAY_SECONDS);
  const envelopes = Array.from({ length: documents }, () => documentEvents(random, arrival(random, endAt, span), endAt)).flat();
  return envelopes.sort((one, other) => one.created - other.created);
}

/** Drops events beyond the end: they have not happened yet. */
function documentEvents(random: Random, startAt: number, endAt: number): SandboxEnvelope[] {
  const cast = castOf(random);
  const envelopes: SandboxEnvelope[] = [];
  let created = startAt;
  for (const scene of chooseWay(random)) {
    envelopes.push({ id: random.id("evt"), created, ...playTraffic(scene, cast, random) });
    created += pauseAfter(scene, random);
  }
  return envelopes.filter((envelope) => envelope.created <= endAt);
}

function playTraffic(scene: TrafficScene, cast: Cast, random: Random): { type: EventType; data: Record<string, unknown> } {
  if (typeof scene === "object") return { type: "pipeline.stage_changed", data: stageMove(cast, scene.move) };
  return { type: scene, data: PAYLOADS[scene](cast, random) };
}

function chooseWay(random: Random): TrafficScene[] {
  let ticket = random.between(1, 100);
  for (const { share, scenes } of WAYS) {
    if (ticket <= share) return scenes;
    ticket -= share;
  }
  return READ;
}

function arrival(random: Random, endAt: number, span: number): number {
  for (let tries = 0; tries < 20; tries += 1) {
    const at = endAt - random.between(0, span);
    const hour = Math.floor((at % DAY_SECONDS) / HOUR_SECONDS);
    if ((hour >= OFFICE.from && hour < OFFICE.to) || random.between(1, 10) === 1) return at;
  }
  return endAt - random.between(0, span);
}

function pauseAfter(scene: TrafficScene, random: Random): number {
  if (typeof scene === "object" || scene === "task.assigned") return random.between(120, 6 * HOUR_SECONDS);
  return random.between(1, 40);
}
