import { ownToken, type Template } from "../schemes/senders/template.ts";

export const eventGrid: Template = {
  title: "Azure Event Grid",
  ...ownToken("x-signalbox-token"),
  challenges: [
    {
      asked: "post",
      when: [{ place: "0.eventType", equals: "Microsoft.EventGrid.SubscriptionValidationEvent" }],
      take: "0.data.validationCode",
      answer: { json: { validationResponse: "{value}" } },
    },
  ],
  reading: { items: "$", id: ["id"], type: ["eventType"], created: ["eventTime"], data: "data", about: ["{subject}"] },
  records: "none",
  alsoSends: ["aeg-event-type", "aeg-subscription-name", "aeg-delivery-count"],
  secretHint: "The value of a delivery property (a static, secret header) of the subscription.",
  retries: "Up to 30 tries within 24 hours.",
  retryHours: 24,
  answerWithin: 30,
  docsUrl: "https://learn.microsoft.com/azure/event-grid/webhook-event-delivery",
  proof: "verifier",
  facts: [
    "@azure/eventgrid (EventGridDeserializer)",
    "https://learn.microsoft.com/azure/event-grid/webhook-event-delivery",
    "https://learn.microsoft.com/azure/event-grid/delivery-and-retry",
  ],
  unchecked: ["how long it waits for an answer and tries again"],
};
