import { NO_MAPPING } from "#lib/platform/field-names";
import { MAX_ATTEMPTS } from "#lib/processing/failures";
import { applyTouch } from "#lib/views/fold/fold";
import { type FoldableEvent, planEvent } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";

/** A delivery that waits in the inbox. */
type Waiting = { eventId: string; attempts: number; due: boolean };

/**
 * Signalbox, modelled as simply as possible: a log, an inbox, dead letters,
 * and for each record the set of events that it was folded from.
 */
export class Model {
  readonly log = new Map<string, FoldableEvent>();
  inbox: Waiting[] = [];
  readonly dead = new Set<string>();
  readonly cursed = new Set<string>();
  /** Number of special cases that a history really met, so that a run without any shows. */
  readonly met = { deaths: 0, resurrections: 0, crashes: 0, corrections: 0 };
  /** Number of times each event was applied. */
  readonly applied = new Map<string, number>();
  /** The events that each record shows, by `kind id`. */
  private readonly shown = new Map<string, Set<string>>();

  /** @returns whether it is new */
  receive(event: FoldableEvent): boolean {
    if (this.log.has(event.eventId)) return false;
    this.log.set(event.eventId, event);
    this.deliver(event.eventId);
    return true;
  }

  deliver(eventId: string): void {
    this.inbox.push({ eventId, attempts: 0, due: true });
  }

  /** Everything that is due is applied, or fails. */
  process(): void {
    const due = this.inbox.filter((waiting) => waiting.due);
    this.inbox = this.inbox.filter((waiting) => !waiting.due);
    for (const { eventId, attempts } of due) {
      if (!this.cursed.has(eventId)) this.apply(eventId);
      else if (attempts + 1 < MAX_ATTEMPTS) this.inbox.push({ eventId, attempts: attempts + 1, due: false });
      else this.die(eventId);
    }
  }

  letTimePass(): void {
    for (const waiting of this.inbox) waiting.due = true;
  }

  private die(eventId: string): void {
    this.dead.add(eventId);
    this.met.deaths += 1;
  }

  private apply(eventId: string): void {
    this.applied.set(eventId, (this.applied.get(eventId) ?? 0) + 1);
    if (this.dead.delete(eventId)) this.met.resurrections += 1;
    for (const record of this.recordsOf(eventId)) this.shown.set(record, new Set([...(this.shown.get(record) ?? []), eventId]));
  }

  /**
   * Folds the log from nothing. A record in which something is missing that
   * does not wait in the inbox gets all that the log says of it.
   *
   * @returns how many records were wrong
   */
  rebuild(): number {
    const waiting = new Set(this.inbox.map(({ eventId }) => eventId));
    const whole = new Map<string, Set<string>>();
    for (const eventId of this.log.keys())
      for (const record of this.recordsOf(eventId)) whole.set(record, new Set([...(whole.get(record) ?? []), eventId]));
    let wrong = 0;
    for (const [record, events] of whole) {
      const ahead = [...events].filter((id) => this.shown.get(record)?.has(id) || waiting.has(id));
      if (JSON.stringify(this.fold(record, ahead)) === JSON.stringify(this.fold(record, events))) continue;
      this.shown.set(record, events);
      wrong += 1;
    }
    this.met.corrections += wrong;
    return wrong;
  }

  /** Every record's registers. */
  views(): Map<string, Registers> {
    return new Map([...this.shown].map(([record, events]) => [record, this.fold(record, events)]));
  }

  private fold(record: string, eventIds: Iterable<string>): Registers {
    let registers: Registers = {};
    for (const eventId of eventIds)
      for (const touch of this.touchesOf(eventId)) if (`${touch.kind} ${touch.id}` === record) registers = applyTouch(registers, touch);
    return Object.fromEntries(Object.entries(registers).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private recordsOf(eventId: string): string[] {
    return this.touchesOf(eventId).map(({ kind, id }) => `${kind} ${id}`);
  }

  private touchesOf(eventId: string) {
    const event = this.log.get(eventId);
    const plan = event && planEvent(event, NO_MAPPING);
    return plan?.outcome === "touches" ? plan.touches : [];
  }
}
