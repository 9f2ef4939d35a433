import { hmac, type Template } from "../schemes/senders/template.ts";

export const lemonSqueezy: Template = {
  title: "Lemon Squeezy",
  scheme: hmac({ header: "x-signature" }, { idIsSigned: true }),
  reading: {
    id: ["{meta.event_name}.{data.type}.{data.id}.{data.attributes.updated_at}"],
    type: ["meta.event_name", "header:x-event-name"],
    created: ["data.attributes.updated_at", "data.attributes.created_at"],
    about: [
      "order #{data.attributes.order_number} from {data.attributes.user_email}",
      "{data.attributes.product_name} for {data.attributes.user_email}",
      "{data.type} {data.id}",
    ],
  },
  // An order and a subscription may have the same ID.
  records: "none",
  alsoSends: ["x-event-name"],
  secretHint: "Settings > Webhooks > your webhook > Signing secret.",
  retries: "Up to 3 retries: after 5, 25 and 125 seconds.",
  retryHours: 0.05,
  docsUrl: "https://docs.lemonsqueezy.com/help/webhooks/signing-requests",
  unchecked: ["when it tries again"],
};
