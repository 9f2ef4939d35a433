import { hmac, type Template } from "../schemes/senders/template.ts";

export const hubspot: Template = {
  title: "HubSpot",
  scheme: hmac(
    {
      header: "x-hubspot-signature-v3",
      encoding: "base64",
      content: "{method}{url}{body}{timestamp}",
      timestampHeader: "x-hubspot-request-timestamp",
      timestampForm: "milliseconds",
      toleranceSeconds: 300,
    },
    { idIsSigned: true },
  ),
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
  alsoSends: ["x-hubspot-signature", "x-hubspot-signature-version"],
  issuesSecret: true,
  secretHint: "Your app > Auth > Client secret.",
  retries: "Up to 10 retries within 24 hours.",
  retryHours: 24,
  answerWithin: 5,
  docsUrl: "https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation",
  proof: "verifier",
  facts: ["@hubspot/api-client (Signature.isValid, v3)"],
  unchecked: ["how long it waits for an answer and tries again"],
};

export const hubspotV1: Template = {
  ...hubspot,
  title: "HubSpot (signature v1)",
  // A digest of the secret and the body.
  scheme: hmac({ header: "x-hubspot-signature", method: "hash", content: "{secret}{body}" }, { idIsSigned: true }),
  alsoSends: ["x-hubspot-signature-version"],
  secretHint: "Your app > Auth > Client secret. Newer apps sign in version 3, too: choose HubSpot for those.",
  docsUrl: "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests",
  facts: ["@hubspot/api-client (Signature.isValid, v1)"],
};
