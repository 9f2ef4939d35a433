import type { ViewKind } from "#lib/contracts/views";
import { applyTouch, mergeRecords } from "./fold.ts";
import type { Touch } from "./plan.ts";
import type { Registers } from "./register.ts";

type Part = { registers: Registers; events: number };

/** Merges folds of equally many events with each other, so that a field is copied log n times and not once for every later event. */
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

  result(): Registers {
    return this.parts.reduceRight<Registers>((merged, { registers }) => mergeRecords(this.kind, registers, merged), {});
  }
}
