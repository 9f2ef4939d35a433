import type { KeptView } from "#lib/views/definition/view-columns";
import type { Touch } from "./plan.ts";
import { RecordFold } from "./record-fold.ts";

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
