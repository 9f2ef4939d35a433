import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, it } from "vitest";
import { readObject } from "#tests/support/deploy/read-yaml";
import { kubernetesType, typeErrors } from "#tests/support/deploy/type-errors";
import { ALERTED_METRICS, renderMetricsPage } from "../../../tools/metrics-page.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../../deploy/monitoring");
const PROMTOOL = "/usr/bin/promtool";
const page = renderMetricsPage();
const read = (file: string) => readFileSync(path.join(FOLDER, file), "utf8");

/** True for an expression that Prometheus can read; Grafana puts a number in place of its variable. */
function isPromql(expression: string): boolean {
  let errors = 0;
  parser.parse(expression.replaceAll("$__rate_interval", "5m")).iterate({
    enter: ({ type }) => {
      if (type.isError) errors++;
    },
  });
  return errors === 0;
}

/** A file of rules is the specification of the operator's PrometheusRule. */
const rulesErrors = (text: string) =>
  typeErrors([kubernetesType({ apiVersion: "monitoring.coreos.com/v1", kind: "PrometheusRule", spec: readObject(text) })]);

type Panel = { type: string; options: object; targets: { expr: string }[] };
type Dashboard = { panels: Panel[] };
const GRAFANA = "@grafana/schema/dist/esm/raw";
const OPTIONS: Record<string, string> = { stat: "Stat", timeseries: "TimeSeries" };

function dashboardErrors(text: string): Promise<string> {
  const { panels, ...dashboard } = JSON.parse(text) as Dashboard;
  return typeErrors([
    { value: dashboard, module: "@grafana/schema", name: "Dashboard", as: "Plain" },
    ...panels.flatMap(({ options, ...panel }) => [
      { value: panel, module: `${GRAFANA}/dashboard/x/Dashboard_types.gen`, name: "Panel", as: "Plain" as const },
      {
        value: options,
        module: `${GRAFANA}/composable/${panel.type}/panelcfg/x/${OPTIONS[panel.type]}PanelCfg_types.gen`,
        name: "Options",
        as: "Patch" as const,
      },
    ]),
  ]);
}

describe("deploy/monitoring", () => {
  it.each(["alerts.yaml", "alerts.test.yaml", "dashboard.json"])("%s asks for metrics that there are", (file) => {
    const named = read(file).match(/signalbox_[a-z_]+/g) ?? [];
    const unknown = [...new Set(named)].filter((name) => !page.includes(`\`${name.replace(/_(bucket|count|sum)$/, "")}\``));
    expect(unknown).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it("has a rule for each metric that docs/metrics.md tells to alert on", () => {
    const rules = read("alerts.yaml");
    expect(ALERTED_METRICS.filter((name) => !new RegExp(`${name}\\b`).test(rules))).toEqual([]);
  });

  it("has rules of Prometheus's types, and only expressions that it can read", async () => {
    const { groups } = readObject(read("alerts.yaml")) as { groups: { rules: { expr: string }[] }[] };
    const expressions = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(10);
    expect(expressions.filter((each) => !isPromql(each))).toEqual([]);
    expect(await rulesErrors(read("alerts.yaml"))).toBe("");
    expect(await rulesErrors(read("alerts.yaml").replace("annotations:", "anotations:"))).toContain("'\"anotations\"' does not exist");
    expect(isPromql("sum by (job (up)")).toBe(false);
  });

  it("has a dashboard of Grafana's types, and only expressions that Prometheus can read", async () => {
    const { panels } = JSON.parse(read("dashboard.json")) as Dashboard;
    expect(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).filter((each) => !isPromql(each))).toEqual([]);
    expect(await dashboardErrors(read("dashboard.json"))).toBe("");
  });

  it("has a dashboard that is found broken by a misspelt field, wherever it stands", async () => {
    const fields = ["refresh", "unit", "reduceOptions", "displayMode"];
    const broken = fields.reduce((text, field) => text.replace(`"${field}"`, `"${field}s"`), read("dashboard.json"));
    const errors = await dashboardErrors(broken);
    for (const field of fields) expect(errors).toContain(`'"${field}s"' does not exist`);
  });

  it("gets the job name that its rules select from the Helm chart, whatever the release is called", () => {
    const chart = readFileSync(path.join(FOLDER, "../helm/signalbox/templates/web.yaml"), "utf8");
    const [, selected] = /up\{job="(\w+)"\}/.exec(read("alerts.yaml")) ?? [];
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
