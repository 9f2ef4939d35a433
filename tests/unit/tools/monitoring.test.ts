import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ALERTED_METRICS, renderMetricsPage } from "../../../tools/metrics-page.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../../deploy/monitoring");
const PROMTOOL = "/usr/bin/promtool";
const page = renderMetricsPage();

describe("deploy/monitoring", () => {
  it.each(["alerts.yaml", "alerts.test.yaml", "dashboard.json"])("%s asks for metrics that there are", (file) => {
    const named = readFileSync(path.join(FOLDER, file), "utf8").match(/signalbox_[a-z_]+/g) ?? [];
    const unknown = [...new Set(named)].filter((name) => !page.includes(`\`${name.replace(/_(bucket|count|sum)$/, "")}\``));
    expect(unknown).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it("has a rule for each metric that docs/metrics.md tells to alert on", () => {
    const rules = readFileSync(path.join(FOLDER, "alerts.yaml"), "utf8");
    expect(ALERTED_METRICS.filter((name) => !new RegExp(`${name}\\b`).test(rules))).toEqual([]);
  });

  it("gets the job name that its rules select from the Helm chart, whatever the release is called", () => {
    const chart = readFileSync(path.join(FOLDER, "../helm/signalbox/templates/web.yaml"), "utf8");
    const [, selected] = /up\{job="(\w+)"\}/.exec(readFileSync(path.join(FOLDER, "alerts.yaml"), "utf8")) ?? [];
    expect(chart).toContain(`- targetLabel: job\n          replacement: ${selected}\n`);
  });

  it.skipIf(!existsSync(PROMTOOL))("each alert fires by its cause, and none while all is well", () => {
    for (const args of [
      ["check", "rules", "alerts.yaml"],
      ["test", "rules", "alerts.test.yaml"],
    ])
      expect(execFileSync(PROMTOOL, args, { cwd: FOLDER, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })).toContain("SUCCESS");
  });
});
