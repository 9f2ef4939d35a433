import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findUnknownMetrics, METRICS_PAGE, renderMetricsPage } from "../../../tools/metrics-page.ts";

describe("docs/metrics.md", () => {
  // Elsewhere prom-client leaves out what it reads from /proc.
  it.runIf(process.platform === "linux")("is what the code says; after a change of metrics run: npm run docs:metrics", () => {
    expect(readFileSync(METRICS_PAGE, "utf8")).toBe(renderMetricsPage());
  });

  it("names alerts and label values only of metrics that exist", () => {
    expect(findUnknownMetrics(renderMetricsPage())).toEqual([]);
  });
});
