import type { EventType } from "#lib/platform/event-catalogue";
import { type Cast, castOf } from "./cast.ts";
import { PAYLOADS, stageMove } from "./payloads.ts";
import { type Random, seededRandom } from "./random.ts";
import type { SandboxEnvelope } from "./scenarios.ts";

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;
/** UTC; nine in ten documents arrive then. */
const OFFICE = { from: 7, to: 18 } as const;

type Move = { move: number };
type Scene = EventType | Move;

const READ: Scene[] = ["document.uploaded", "document.processed", "task.created", "ai.classification_complete", "task.assigned"];
const RUN: Scene[] = ["automation.triggered", "automation.completed"];

/** Ways of a document, and how many of a hundred take each. */
const WAYS: { share: number; scenes: Scene[] }[] = [
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
    envelopes.push({ id: random.id("evt"), created, ...play(scene, cast, random) });
    created += pauseAfter(scene, random);
  }
  return envelopes.filter((envelope) => envelope.created <= endAt);
}

function play(scene: Scene, cast: Cast, random: Random): { type: EventType; data: Record<string, unknown> } {
  if (typeof scene === "object") return { type: "pipeline.stage_changed", data: stageMove(cast, scene.move) };
  return { type: scene, data: PAYLOADS[scene](cast, random) };
}

function chooseWay(random: Random): Scene[] {
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

function pauseAfter(scene: Scene, random: Random): number {
  if (typeof scene === "object" || scene === "task.assigned") return random.between(120, 6 * HOUR_SECONDS);
  return random.between(1, 40);
}
