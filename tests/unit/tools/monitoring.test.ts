import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { renderMetricsPage } from "../../../tools/metrics-page.ts";

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

  it.skipIf(!existsSync(PROMTOOL))("each alert fires by its cause, and none while all is well", () => {
    for (const args of [
      ["check", "rules", "alerts.yaml"],
      ["test", "rules", "alerts.test.yaml"],
    ])
      expect(execFileSync(PROMTOOL, args, { cwd: FOLDER, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })).toContain("SUCCESS");
  });
});
