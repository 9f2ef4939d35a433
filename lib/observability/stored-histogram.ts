import type { Metric, Registry } from "prom-client";

type Options<T extends string> = { name: string; help: string; labelNames: T[]; bounds: readonly number[] };

/** A histogram whose observations were counted elsewhere, such as in a database. */
export class StoredHistogram<T extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: T[];
  private readonly bounds: readonly number[];
  private readonly stored: { labels: Record<T, string>; counts: number[]; sum: number }[] = [];

  /** `bounds` are upper bounds; a bucket without a bound follows. */
  constructor(registry: Registry, { name, help, labelNames, bounds }: Options<T>) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.bounds = bounds;
    // A registry only asks a metric for its name and its values (`get`).
    registry.registerMetric(this as unknown as Metric<T>);
  }

  /** `counts`: observations by bucket, the last one without a bound; missing ones are 0. */
  put(labels: Record<T, string>, counts: number[], sum: number): void {
    this.stored.push({ labels, counts, sum });
  }

  async get() {
    const values = this.stored.flatMap(({ labels, counts, sum }) => {
      let total = 0;
      const buckets = [...this.bounds, "+Inf"].map((le, at) => {
        total += counts[at] ?? 0;
        return { labels: { ...labels, le }, value: total, metricName: `${this.name}_bucket` };
      });
      return [
        ...buckets,
        { labels, value: sum, metricName: `${this.name}_sum` },
        { labels, value: total, metricName: `${this.name}_count` },
      ];
    });
    return { name: this.name, help: this.help, type: "histogram", aggregator: "sum", values };
  }
}
