import type { EventFilter } from "#lib/contracts/forwarding/event-filter";
import {
  Comparisons,
  type CompiledFilter,
  cheapComparisonsFor,
  comparisonsFor,
  compileFilter,
  type FilterVerdict,
} from "./compile-filter.ts";

/** Less than a second of a processor. */
const COMPARISONS_OF_A_BATCH = 30_000_000;

type Filtering = { match: CompiledFilter; left: number };

/** Filters of a workspace's destinations, each compiled once, with an equal share of a batch's comparisons. A cheap match always runs. */
export class BatchFilters {
  private readonly share: number;
  private readonly filters = new Map<string, Filtering>();

  constructor(destinations: number, comparisons = COMPARISONS_OF_A_BATCH) {
    this.share = Math.floor(comparisons / Math.max(1, destinations));
  }

  match({ id, filter }: { id: string; filter: EventFilter }, payload: unknown, bytes: number): FilterVerdict {
    const filtering = this.filters.get(id) ?? { match: compileFilter(filter), left: this.share };
    this.filters.set(id, filtering);
    const given = Math.min(comparisonsFor(bytes), Math.max(filtering.left, cheapComparisonsFor(bytes)));
    const comparisons = new Comparisons(given);
    const verdict = filtering.match(payload, comparisons);
    filtering.left -= given - Math.max(0, comparisons.left);
    return verdict;
  }
}
