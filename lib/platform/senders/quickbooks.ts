import { hmac, type Template } from "../schemes/senders/template.ts";

export const quickbooks: Template = {
  title: "QuickBooks Online",
  scheme: hmac({ header: "intuit-signature", encoding: "base64" }, { idIsSigned: true }),
  reading: {
    items: "eventNotifications[].dataChangeEvent.entities[]",
    id: ["{outer:realmId}.{name}.{id}.{operation}.{lastUpdated}"],
    type: ["{name}.{operation}"],
    created: ["lastUpdated"],
    about: ["{name} {id}"],
  },
  // A customer and a vendor may have the same ID.
  records: "none",
  alsoSends: ["intuit-created-time", "intuit-t-id", "intuit-notification-schema-version"],
  issuesSecret: true,
  secretHint: "Your app > Webhooks > Verifier token.",
  retries: "Retries after 20, 30 and 50 minutes, then at growing intervals.",
  answerWithin: 3,
  docsUrl: "https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks",
  proof: "bytes",
  facts: [
    "https://github.com/intuit/QuickBooks-V3-Java-SDK (WebhooksServiceTest)",
    "https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks",
  ],
  unchecked: ["its newer notifications in the form of CloudEvents", "how long it waits for an answer and tries again"],
};
