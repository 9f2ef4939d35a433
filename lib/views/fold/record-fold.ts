import type { ViewKind } from "#lib/contracts/views";
import { applyTouch, mergeRecords } from "./fold.ts";
import type { Touch } from "./plan.ts";
import type { Registers } from "./register.ts";

/** A fold of some events, and how many they are. */
type Part = { registers: Registers; events: number };

/**
 * Effect of many events on one record. Folds of equally many events are merged
 * with each other, so that a field is copied as often as the number of events
 * can be halved, and not once for every event that follows.
 */
export class RecordFold {
  private readonly parts: Part[] = [];
  private readonly kind: ViewKind;

  constructor(kind: ViewKind) {
    this.kind = kind;
  }

  add(touch: Touch): void {
    let part: Part = { registers: applyTouch({}, touch), events: 1 };
    for (let last = this.parts.at(-1); last && last.events <= part.events; last = this.parts.at(-1)) {
      this.parts.pop();
      part = { registers: mergeRecords(this.kind, last.registers, part.registers), events: last.events + part.events };
    }
    this.parts.push(part);
  }

  /** All of it as one fold, to be merged into the record as it stands. */
  result(): Registers {
    return this.parts.reduceRight<Registers>((merged, { registers }) => mergeRecords(this.kind, registers, merged), {});
  }
}
