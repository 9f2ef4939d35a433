import type { SchemaField } from "#lib/contracts/event-types";
import { emptyWatch, type Found, type Learnt, learn } from "#lib/event-types/learn";
import type { Lesson } from "#lib/event-types/live-schema";
import { LiveSchema } from "#lib/event-types/live-schema";
import { emptyTree } from "#lib/event-types/merge";
import { treeOf } from "#lib/flows/event-types/read-event-types";

const BEGIN = Date.UTC(2026, 0, 1);

/** Event number `n`, a minute after the one before, of a record of its own. */
export const lesson = (n: number, data: Record<string, unknown>, more: Partial<Lesson> = {}): Lesson => ({
  ref: [`evt_${n}`, BEGIN + n * 60_000, n],
  bytes: 500,
  record: { kind: "document", id: `doc_${n}` },
  data,
  ...more,
});

/** One worker that hands on what it saw after each so many events, and what is stored of it. */
export class Learning {
  stored: Pick<Learnt, "tree" | "watch"> = { tree: emptyTree(), watch: emptyWatch() };
  readonly found: (Found & { after: number })[] = [];
  readonly recovered: string[] = [];
  readonly news: Learnt["news"] = [];
  private readonly live = new LiveSchema("ety_test");
  private readonly every: number;
  private taught = 0;
  private pending = 0;

  constructor(every = 1) {
    this.every = every;
  }

  /** Another worker that knows what is stored, and sees what comes. */
  branch(every = 1): Learning {
    const branch = new Learning(every);
    branch.stored = this.stored;
    branch.taught = this.taught;
    branch.live.adopt({ ...knownOf(this.stored), pin: null, notEnumeration: [], ignored: [] });
    return branch;
  }

  teach(data: Record<string, unknown>, more: Partial<Lesson> = {}): void {
    this.taught += 1;
    this.pending += 1;
    this.live.teach(lesson(this.taught, data, more));
    if (this.pending >= this.every) this.handOn();
  }

  /** Looks first, as for an event that is not sampled. Returns whether that was enough. */
  look(data: Record<string, unknown>, more: Partial<Lesson> = {}): boolean {
    this.taught += 1;
    this.pending += 1;
    const one = lesson(this.taught, data, more);
    const known = this.live.look(one);
    if (!known) this.live.teach(one);
    if (this.pending >= this.every) this.handOn();
    return known;
  }

  handOn(): void {
    this.pending = 0;
    const learnt = learn(this.stored, this.live.take(), { newId: () => `dft_${this.found.length + 1}` });
    this.stored = { tree: learnt.tree, watch: learnt.watch };
    this.found.push(...learnt.found.map((each) => ({ ...each, after: this.taught })));
    this.recovered.push(...learnt.recovered);
    this.news.push(...learnt.news);
    this.live.adopt({ ...knownOf(this.stored), pin: null, notEnumeration: [], ignored: [] });
  }
}

export const knownOf = ({ tree, watch }: Pick<Learnt, "tree" | "watch">) => ({
  tree,
  usual: watch.usual,
  oversized: watch.deviations.data?.size?.n ?? 0,
  unaccepted: Object.fromEntries(
    Object.entries(watch.deviations).flatMap(([path, { value }]) => (value?.hashes ? [[path, value.hashes]] : [])),
  ),
});

/** Returns the fields that are learnt of these payloads, each of a record of its own. */
export function learnFields(payloads: unknown[]): SchemaField[] {
  const learning = new Learning(payloads.length);
  for (const data of payloads) learning.teach(data as Record<string, unknown>);
  return treeOf(learning.stored.tree, []);
}
