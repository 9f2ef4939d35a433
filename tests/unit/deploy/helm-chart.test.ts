import path from "node:path";
import { describe, expect, it } from "vitest";
import { HelmChart } from "#tests/support/deploy/helm-chart";
import { kubernetesType, typeErrors } from "#tests/support/deploy/type-errors";
import { ROOT } from "../../../tools/run-command.ts";

const FOLDER = path.join(ROOT, "deploy/helm/signalbox");
const chart = new HelmChart(FOLDER);

const NEEDED = {
  image: { repository: "registry.example/signalbox" },
  existingSecret: "secret",
  config: { APP_URL: "https://acme.example" },
};
const EVERYTHING = {
  ...NEEDED,
  imagePullSecrets: [{ name: "pull" }],
  nameOverride: "hooks",
  fullnameOverride: "acme-hooks",
  caSecret: "ca",
  extraVolumes: [{ name: "more", emptyDir: {} }],
  extraVolumeMounts: [{ name: "more", mountPath: "/more" }],
  persistence: { storageClassName: "fast", backups: { size: "20Gi", storageClassName: "slow" } },
  networkPolicy: { enabled: true },
  autoscaling: { enabled: true },
  service: { annotations: { a: "b" } },
  ingress: { enabled: true, host: "acme.example", className: "nginx", tlsSecretName: "tls" },
  serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
  serviceAccount: { annotations: { role: "r" } },
  podAnnotations: { a: "b" },
  podLabels: { team: "t" },
  nodeSelector: { disk: "ssd" },
  tolerations: [{ key: "dedicated", operator: "Exists", effect: "NoSchedule" }],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [] }] } } },
};
const NOTHING_MORE = {
  ...NEEDED,
  migrateBeforeUpgrade: false,
  podDisruptionBudget: { enabled: false },
  serviceAccount: { name: "given" },
  web: { resources: null },
};

const kinds = (values: object) =>
  chart
    .render({ ...values })
    .objects.map(({ kind }) => kind)
    .toSorted();

describe("the Helm chart", () => {
  it("makes objects of Kubernetes's types, whatever is set", async () => {
    const objects = [NEEDED, EVERYTHING, NOTHING_MORE].flatMap((values) => chart.render(values).objects);
    expect(await typeErrors(objects.map(kubernetesType))).toBe("");
  });

  it("makes what the values ask for", () => {
    const least = ["ConfigMap", "Service", "Service", "StatefulSet", "StatefulSet"];
    expect(kinds(NOTHING_MORE)).toEqual(least);
    const usual = [...least, "Job", "PodDisruptionBudget", "PodDisruptionBudget", "ServiceAccount"];
    expect(kinds(NEEDED)).toEqual(usual.toSorted());
    const all = [...usual, "HorizontalPodAutoscaler", "Ingress", "NetworkPolicy", "NetworkPolicy", "ServiceMonitor"];
    expect(kinds(EVERYTHING)).toEqual(all.toSorted());
    expect(chart.render(NEEDED).notes).toContain("logs acme-signalbox-web-0");
  });

  it("refuses values that its schema does not have", () => {
    expect([NEEDED, EVERYTHING].map((values) => chart.refuses(values))).toEqual(["", ""]);
    expect(chart.refuses({})).not.toBe("");
    expect(chart.refuses({ ...NEEDED, replicas: 2 })).toContain("additional properties");
    expect(chart.refuses({ ...NEEDED, ingress: { enabled: true } })).toContain("host");
    expect(chart.refuses({ ...NEEDED, config: { ...NEEDED.config, SANDBOX: false } })).toContain("config/SANDBOX");
  });

  it("is found broken by a misspelt field, a value of another type, and a field that is missing", async () => {
    const edit = (text: string) =>
      text
        .replace("  replicas: {{", "  replica: {{")
        .replace("failureThreshold: 6", "failureTreshold: 6")
        .replace("periodSeconds: 5", "periodSeconds: five")
        .replace("containerPort: 3000", "");
    const errors = await typeErrors(new HelmChart(FOLDER, edit).render(NEEDED).objects.map(kubernetesType));
    expect(errors).toContain("'\"replica\"' does not exist in type 'IStatefulSetSpec'");
    expect(errors).toContain("'\"failureTreshold\"' does not exist in type 'IProbe'");
    expect(errors).toContain("Type 'string' is not assignable to type 'number'");
    expect(errors).toContain("'\"containerPort\"' is missing");
  });
});
