import { ownToken, type Template } from "../schemes/senders/template.ts";

/** Grafana sends its alerts as Alertmanager does. */
export const ALERTS: Pick<Template, "reading" | "records" | "record"> = {
  reading: {
    items: "alerts",
    // A firing alert is sent again and again: it is one event until its state changes.
    id: ["{fingerprint}.{status}.{startsAt}"],
    type: ["alert.{status}"],
  },
  records: "generic",
  record: {
    kind: "alert",
    id: "fingerprint",
    state: "status",
    title: "labels.alertname",
    facts: { summary: "annotations.summary", firesSince: "startsAt" },
  },
};

export const alertmanager: Template = {
  title: "Prometheus Alertmanager",
  ...ownToken("authorization", "Bearer "),
  ...ALERTS,
  secretHint: "The credentials of http_config.authorization of the webhook receiver.",
  retries: "Retries answers of 5xx until the group's next notification.",
  docsUrl: "https://prometheus.io/docs/alerting/latest/configuration/#webhook_config",
  proof: "bytes",
  facts: [
    "two notifications of Alertmanager 0.25.0, as it sent them",
    "https://github.com/prometheus/alertmanager (notify/webhook/webhook.go)",
    "https://prometheus.io/docs/alerting/latest/configuration/#webhook_config",
  ],
  unchecked: ["when it tries again"],
};
