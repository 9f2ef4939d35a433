import { newId } from "#lib/contracts/api/ids";
import type { SandboxEventBody, SandboxFault } from "#lib/contracts/sandbox";
import { type Random, sampleData } from "#lib/sandbox/payloads";
import type { SandboxEnvelope, ScenarioEvent } from "#lib/sandbox/scenarios";

export type Outgoing = {
  eventId: string;
  type: string;
  body: string;
  fault: SandboxFault | null;
  scenario: string | null;
  afterMs: number;
};

const DUPLICATES = 3;
const BURST = 100;
const DELAY_MS = 10_000;
const EARLIER_SECONDS = 60;

/** Never retried: the request is wrong by design. */
const HOPELESS: ReadonlySet<string> = new Set<SandboxFault>(["wrong_signature", "stale_signature", "no_signature", "malformed"]);

/** True if a client error is the expected answer, so that a retry would show nothing new. */
export const isHopeless = (fault: string | null): boolean => fault !== null && HOPELESS.has(fault);

/** Returns the webhooks of one request for an event. Pure, except for IDs that the request leaves out. */
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

/** Returns the webhooks of a scenario, in their own order or, shuffled, each in another's place. */
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

/** Returns valid JSON with wrong types of `id` and `created` and without `data`. */
function notAnEnvelope({ type, created }: SandboxEnvelope): string {
  return JSON.stringify({ id: 42, type, created: new Date(created * 1000).toISOString() });
}

/** Shuffles by Sattolo's algorithm: nothing stays in its place. */
function shuffle<T>(list: T[], random: Random): void {
  for (let index = list.length - 1; index > 0; index -= 1) {
    const other = random.between(0, index - 1);
    [list[index], list[other]] = [list[other] as T, list[index] as T];
  }
}

/** The sandbox's own schedule (docs/platform.md: "retry schedule … not shown"). */
export const MAX_ATTEMPTS = 12;
const FIRST_MS = 1000;
const MAX_MS = 5 * 60_000;

/** Returns milliseconds, or null at the last attempt: 1 s, 2 s … 5 min, up to a quarter more so that failures don't return together. */
export function retryDelay(attempt: number, retryAfterMs: number | null, chance: number): number | null {
  if (attempt >= MAX_ATTEMPTS) return null;
  const backoff = Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS);
  const jittered = Math.min(backoff * (1 + chance / 4), MAX_MS);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_MS)));
}

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
