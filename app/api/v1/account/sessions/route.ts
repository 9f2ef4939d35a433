import { requirePerson } from "#lib/auth/person";
import { endOwnSessions } from "#lib/auth/session-rotation-store";
import { listSessions } from "#lib/auth/session-store";
import { ownSessionList, sessionsEnded } from "#lib/contracts/account";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Where one is signed in. */
export const GET = defineRoute({
  operation: "account.manage",
  summary: "List one's sessions",
  answers: { 200: ownSessionList },
  example: {},
  handle: async ({ actor, receivedAt }) => {
    requirePerson(actor);
    return { data: await listSessions(actor.by.userId, actor.by.sessionHash, receivedAt), nextCursor: null };
  },
});

/** Ends all sessions but this one. */
export const DELETE = defineRoute({
  operation: "account.manage",
  summary: "End all other sessions",
  answers: { 200: sessionsEnded },
  example: {},
  handle: async ({ actor }) => {
    requirePerson(actor);
    return { ended: await endOwnSessions(actor, null) };
  },
});

export const { POST, PUT, PATCH, OPTIONS } = otherMethods({ GET, DELETE });
