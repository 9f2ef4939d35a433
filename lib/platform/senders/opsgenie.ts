import { basic, type Template } from "../schemes/senders/template.ts";

export const opsgenie: Template = {
  title: "Opsgenie",
  ...basic,
  // `updatedAt` is in nanoseconds.
  reading: { id: ["{action}.{alert.alertId}.{alert.updatedAt}"], type: ["action"], created: ["alert.updatedAt", "alert.createdAt"] },
  records: "generic",
  record: {
    kind: "alert",
    id: "alert.alertId",
    title: "alert.message",
    states: {
      Create: "open",
      Acknowledge: "acknowledged",
      UnAcknowledge: "open",
      Close: "closed",
      Delete: "deleted",
      Escalate: "escalated",
      Snooze: "snoozed",
    },
    facts: { urgency: "alert.priority" },
  },
  secretHint: "user:password of the integration's URL or custom header. For a header of your own, add a source for a token in a header.",
  retries: "Retries for up to 10 minutes, at growing intervals.",
  docsUrl: "https://support.atlassian.com/opsgenie/docs/integrate-opsgenie-with-webhook/",
  unchecked: ["when it tries again"],
};
