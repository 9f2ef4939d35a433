import { defineRoute } from "#lib/api/define-route";
import { retention, retentionBody } from "#lib/contracts/events/retention";
import { findRetention } from "#lib/events/retention-store";
import { setRetention } from "#lib/flows/events/retention";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "retention.read",
  summary: "Read the retention setting",
  answers: { 200: retention },
  example: {},
  handle: ({ actor, receivedAt }) => findRetention(actor.workspaceId, receivedAt),
}).and("PUT", {
  // A shorter policy deletes events within the hour, permanently.
  operation: "retention.manage",
  summary: "Set how long events are kept",
  description: "Events are deleted by calendar month (UTC): each is kept for at least `days`, and at most a month longer.",
  answers: { 200: retention },
  example: { body: { days: 180 } },
  body: retentionBody,
  handle: ({ context, body }) => setRetention(context, body.days),
});
