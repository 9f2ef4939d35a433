import { hmac, type Template } from "../schemes/senders/template.ts";

export const hubspotV1: Template = {
  title: "HubSpot (signature v1)",
  // A digest of the secret and the body.
  scheme: hmac({ header: "x-hubspot-signature", method: "hash", content: "{secret}{body}" }, { idIsSigned: true }),
  reading: {
    items: "$",
    // `attemptNumber` is another at each try; `eventId` alone need not be unique.
    id: ["{eventId}.{subscriptionId}.{objectId}.{occurredAt}"],
    type: ["subscriptionType"],
    created: ["occurredAt"],
    about: ["#{objectId} {propertyName}: {propertyValue}", "#{objectId}"],
  },
  // A contact and a deal may have the same ID.
  records: "none",
  alsoSends: ["x-hubspot-signature-version"],
  issuesSecret: true,
  secretHint: "Your app > Auth > Client secret. Newer apps sign in version 3, too: choose HubSpot for those.",
  retries: "Up to 10 retries within 24 hours.",
  retryHours: 24,
  answerWithin: 5,
  docsUrl: "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests",
  proof: "verifier",
  facts: ["@hubspot/api-client (Signature.isValid, v1)"],
  unchecked: ["how long it waits for an answer and tries again"],
};
