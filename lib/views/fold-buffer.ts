import { applyTouch } from "./fold.ts";
import type { Touch } from "./plan.ts";
import type { KeptView } from "./view-columns.ts";

const MOST_RECORDS = 10_000;
const MOST_BYTES = 32_000_000;

/** Gathers what many events do to many records, so that each is written once for all of them; bounded in records and in bytes read. */
export class FoldBuffer {
  private records = new Map<string, KeptView>();
  private bytes = 0;

  /** @param bytes the size of the event that the touches come from */
  add(touches: Touch[], bytes: number): void {
    this.bytes += bytes;
    for (const touch of touches) {
      const key = `${touch.kind} ${touch.id}`;
      const standing = this.records.get(key)?.registers ?? {};
      this.records.set(key, { kind: touch.kind, id: touch.id, registers: applyTouch(standing, touch) });
    }
  }

  get full(): boolean {
    return this.records.size >= MOST_RECORDS || this.bytes >= MOST_BYTES;
  }

  /** Everything gathered; the buffer is empty afterwards. */
  drain(): KeptView[] {
    const drained = [...this.records.values()];
    this.records = new Map();
    this.bytes = 0;
    return drained;
  }
}
