import { retention, retentionBody } from "#lib/contracts/retention";
import { findRetention, saveRetention } from "#lib/events/retention-store";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** How long events are kept. */
export const GET = defineRoute({
  operation: "retention.read",
  summary: "See how long events are kept",
  answers: { 200: retention },
  example: {},
  handle: ({ actor, receivedAt }) => findRetention(actor.workspaceId, receivedAt),
});

/** Another policy. A shorter one lets events go within the hour, for good. */
export const PUT = defineRoute({
  operation: "retention.manage",
  summary: "Set how long events are kept",
  description: "Events leave by the calendar month (UTC): each is kept for at least `days`, and at most a month longer.",
  answers: { 200: retention },
  example: { body: { days: 90 } },
  body: retentionBody,
  handle: async ({ actor, body, receivedAt }) => {
    await saveRetention(actor.workspaceId, body.days);
    return findRetention(actor.workspaceId, receivedAt);
  },
});

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods({ GET, PUT });
