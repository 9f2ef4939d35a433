import { hmac, type Template } from "../schemes/senders/template.ts";

export const marketingCloud: Template = {
  title: "Marketing Cloud Event Notification Service",
  scheme: hmac({ header: "x-sfmc-ens-signature", encoding: "base64" }, { idIsSigned: true }),
  challenges: [{ asked: "post", when: [{ place: "verificationKey" }, { place: "callbackId" }], learning: {}, answer: { status: 200 } }],
  reading: {
    items: "$",
    id: ["{compositeId}.{eventCategoryType}", "{composite.jobId}.{composite.subscriberId}.{eventCategoryType}.{timestampUTC}"],
    type: ["eventCategoryType"],
    created: ["timestampUTC"],
    about: ["job {composite.jobId} to subscriber {composite.subscriberId}"],
  },
  records: "none",
  issuesSecret: true,
  secretHint: "The signature key that its API answers when the callback is verified.",
  retries: "Retries for a short time, then pauses the callback.",
  docsUrl: "https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/ens.html",
  unchecked: ["its signature against a request of its own", "when it tries again"],
};
