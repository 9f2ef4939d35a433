import type { ViewKind } from "#lib/contracts/views";
import type { KeptView } from "#lib/views/stored-record";
import { applyTouch, mergeRecords } from "./fold.ts";
import type { Touch } from "./plan.ts";
import type { Registers } from "./register.ts";

const MAX_RECORDS = 10_000;
const MAX_BYTES = 16_000_000;

type Gathered = Pick<KeptView, "kind" | "id"> & { fold: RecordFold };

/** Gathers the effects of many events, so that each record is written once; bounded in records and bytes. */
export class FoldBuffer {
  private records = new Map<string, Gathered>();
  private bytes = 0;

  add(touches: Touch[], bytes: number): void {
    this.bytes += bytes;
    for (const touch of touches) {
      const { kind, id } = touch;
      const key = `${kind} ${id}`;
      const record = this.records.get(key) ?? { kind, id, fold: new RecordFold(kind) };
      record.fold.add(touch);
      this.records.set(key, record);
    }
  }

  get full(): boolean {
    return this.records.size >= MAX_RECORDS || this.bytes >= MAX_BYTES;
  }

  drain(): KeptView[] {
    const drained = [...this.records.values()].map(({ kind, id, fold }) => ({ kind, id, registers: fold.result() }));
    this.records = new Map();
    this.bytes = 0;
    return drained;
  }
}

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
