import { type LiveField, OBJECT, Tally, typeAt } from "./live-field.ts";

/** Keys and types of two levels of payloads, and which events had them: most events of a type have one of few shapes. Counted by the
 * shape, and for its fields only now and then. */
export class Shape {
  readonly tally = new Tally();
  /** Null for a map: its keys are data. */
  private readonly keys: readonly string[] | null;
  private readonly types: number[] = [];
  private readonly below: (Shape | undefined)[] = [];

  constructor(field: LiveField, value: Record<string, unknown>, levels = 2) {
    this.keys = field.isMap ? null : Object.keys(value);
    for (const [at, key] of (this.keys ?? []).entries()) {
      const [part, child] = [value[key], field.children.get(key)];
      const type = typeAt(part);
      this.types.push(type);
      if (type === OBJECT && levels > 1 && child) this.below[at] = new Shape(child, part as Record<string, unknown>, levels - 1);
    }
  }

  /** Compares without making anything: it is done for every event. */
  fits(value: Record<string, unknown>): boolean {
    if (this.keys === null) return true;
    let at = 0;
    for (const key in value) {
      const part = value[key];
      if (key !== this.keys[at] || typeAt(part) !== this.types[at]) return false;
      if (this.below[at]?.fits(part as Record<string, unknown>) === false) return false;
      at += 1;
    }
    return at === this.keys.length;
  }

  /** Adds its events to the fields that it has, and starts at zero. */
  settle(root: LiveField): void {
    if (this.tally.n === 0) return;
    this.countIn(root, this.tally);
    this.tally.reset();
  }

  private countIn(field: LiveField, tally: Tally): void {
    field.countSight(OBJECT, tally);
    if (field.isMap || this.keys === null) return;
    field.objects += tally.n;
    for (const [at, key] of this.keys.entries()) {
      const child = field.children.get(key);
      if (!child) continue;
      const below = this.below[at];
      if (below) below.countIn(child, tally);
      else child.countSight(this.types[at] as number, tally);
    }
  }
}
