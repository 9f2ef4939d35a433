import { hmac, type Template } from "../schemes/senders/template.ts";
import { ALERTS } from "./alertmanager.ts";

export const grafana: Template = {
  title: "Grafana Alerting",
  // Its documentation and its source call the header that it sends by default differently.
  scheme: hmac({ header: "x-grafana-alerting-signature", moreHeaders: ["x-grafana-alert-signature"] }, { idIsSigned: true }),
  ...ALERTS,
  secretHint: "Contact points > your webhook > HMAC signature > Secret. Leave its timestamp header empty.",
  retries: "Retries a failed notification at growing intervals.",
  docsUrl: "https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/",
  proof: "source",
  facts: [
    "https://github.com/grafana/alerting (http/hmac.go)",
    "https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/",
  ],
  unchecked: ["when it tries again"],
};
