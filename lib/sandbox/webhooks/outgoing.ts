import { newId } from "#lib/contracts/api/ids";
import type { SandboxEventBody, SandboxFault } from "#lib/contracts/sandbox";
import type { Random } from "#lib/sandbox/scenarios/random";
import { sampleData } from "#lib/sandbox/scenarios/samples";
import type { SandboxEnvelope, ScenarioEvent } from "#lib/sandbox/scenarios/scenarios";

/** A webhook to be queued: its exact body, and how long to wait before it is sent, in milliseconds. */
export type Outgoing = {
  eventId: string;
  type: string;
  body: string;
  fault: SandboxFault | null;
  scenario: string | null;
  afterMs: number;
};

/** Numbers and times of the faults that have one. */
const DUPLICATES = 3;
const BURST = 100;
const DELAY_MS = 10_000;
const EARLIER_SECONDS = 60;

/** Never retried: what is sent is wrong by design, and stays wrong. */
const HOPELESS: ReadonlySet<string> = new Set<SandboxFault>(["wrong_signature", "stale_signature", "no_signature", "malformed"]);

/** True when a client error is the answer that was asked for, so that trying again would teach nothing. */
export const isHopeless = (fault: string | null): boolean => fault !== null && HOPELESS.has(fault);

/** The webhooks that one request for an event asks for. Pure, but for the ids that the request leaves out. */
export function outgoingOf(request: SandboxEventBody, random: Random, now: Date): Outgoing[] {
  const fault = request.fault ?? null;
  const type = fault === "unknown_type" ? `sandbox.${request.type.replaceAll(".", "_")}` : request.type;
  const make = (changes: Partial<SandboxEnvelope> = {}): SandboxEnvelope => ({
    id: newId("evt"),
    type,
    created: request.created ?? Math.floor(now.getTime() / 1000),
    data: request.data ?? sampleData(request.type, random),
    ...changes,
  });
  const first = make(request.id === undefined ? {} : { id: request.id });
  const send = (envelope: SandboxEnvelope, more: Partial<Outgoing> = {}) => ({ ...packed(envelope), fault, ...more });
  switch (fault) {
    case "duplicate":
      return Array.from({ length: DUPLICATES }, () => send(first));
    case "burst":
      return [first, ...Array.from({ length: BURST - 1 }, () => make())].map((envelope) => send(envelope));
    case "delay":
      return [send(first, { afterMs: DELAY_MS })];
    case "disorder":
      return [send(first), send(make({ created: first.created - EARLIER_SECONDS, data: first.data }), { afterMs: 1000 })];
    case "missing_ids":
      return [send({ ...first, data: withoutIds(first.data) })];
    case "malformed":
      return [send(first, { body: notAnEnvelope(first) })];
    case "wrong_signature":
    case "stale_signature":
    case "no_signature":
    case "unknown_type":
    case null:
      return [send(first)];
  }
}

/** The webhooks of a scenario, in their own order or, shuffled, each in the place of another. */
export function outgoingOfScenario(scenario: string, events: ScenarioEvent[], shuffled: boolean, random: Random): Outgoing[] {
  const envelopes = events.map(({ envelope }) => envelope);
  if (shuffled) shuffle(envelopes, random);
  return envelopes.map((envelope, index) => ({
    ...packed(envelope),
    fault: shuffled ? "disorder" : null,
    scenario,
    afterMs: events[index]?.afterMs ?? 0,
  }));
}

const packed = (envelope: SandboxEnvelope): Outgoing => ({
  eventId: envelope.id,
  type: envelope.type,
  body: JSON.stringify(envelope),
  fault: null,
  scenario: null,
  afterMs: 0,
});

function withoutIds(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !/Id$/.test(name) || name === "organizationId"));
}

/** Signed and valid JSON, but `id` and `created` are of the wrong kind and `data` is missing. */
function notAnEnvelope({ type, created }: SandboxEnvelope): string {
  return JSON.stringify({ id: 42, type, created: new Date(created * 1000).toISOString() });
}

/** Sattolo's shuffle: nothing stays where it was. */
function shuffle<T>(list: T[], random: Random): void {
  for (let index = list.length - 1; index > 0; index -= 1) {
    const other = random.between(0, index - 1);
    [list[index], list[other]] = [list[other] as T, list[index] as T];
  }
}
