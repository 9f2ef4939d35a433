import { viewKind } from "#lib/contracts/views";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { mulberry32 } from "#tests/chaos/driver";

/** The kinds that the platform's events make. */
export const PLATFORM_KINDS = viewKind.options.filter((kind) => kind !== "record");

const STAGES = ["Inbox", "Review", "Approval", "Done", "Zurück"];

/**
 * Events of all 16 types over shared records, many within the same second, with
 * odd fields; the same for the same seed.
 *
 * @param events how many
 * @returns in the order of their making
 */
export function randomEvents(events: number, seed: number): FoldableEvent[] {
  const random = mulberry32(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const idOf = (kind: string) => `${kind}_${seed}_${Math.floor((random() * events) / 8)}`;
  return Array.from({ length: events }, (_, n) => ({
    eventId: `evt_${seed}_${n}`,
    type: pick(EVENT_TYPES),
    created: 1_790_000_000 + Math.floor(n / 7),
    data: {
      documentId: idOf("doc"),
      taskId: idOf("task"),
      pipelineId: `pip_${Math.floor(random() * 5)}`,
      automationId: `aut_${Math.floor(random() * 9)}`,
      runId: idOf("run"),
      integrationId: `int_${Math.floor(random() * 20)}`,
      fromStage: pick(STAGES),
      toStage: pick(STAGES),
      ...(random() < 0.5 ? { name: `Name ${n} – ünïcode` } : {}),
      ...(random() < 0.3 ? { metadata: { pages: n % 9, z: 1, a: { deep: [n, null, "x"] } } } : {}),
      ...(random() < 0.2 ? { error: { code: "e", message: "m", trace: n } } : {}),
      ...(random() < 0.2 ? { odd: n % 2 ? "text" : [n], "key with space": null } : {}),
    },
  }));
}

/** The same events shuffled, a share of them repeated; the same for the same seed. */
export function shuffledWithRepeats(events: FoldableEvent[], share: number, seed: number): FoldableEvent[] {
  const random = mulberry32(seed);
  const all = [...events, ...events.filter(() => random() < share)];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as FoldableEvent, all[at] as FoldableEvent];
  }
  return all;
}

/** Some of the events a second time, all of them in another order: what a run of numbers makes of them. */
export function reshuffled<T>(events: T[], numbers: Iterator<number>): T[] {
  const next = () => numbers.next().value as number;
  const repeated = [...events, ...events.filter(() => next() % 2 === 0)];
  return repeated
    .map((event) => ({ event, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ event }) => event);
}
