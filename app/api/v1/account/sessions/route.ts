import { defineRoute } from "#lib/api/define-route";
import { requirePerson } from "#lib/auth/actor";
import { listSessions } from "#lib/auth/session-store";
import { ownSessionList, sessionsEnded } from "#lib/contracts/auth/account";
import { endOtherSessions } from "#lib/flows/members/manage-account";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "account.manage",
  summary: "List your sessions",
  problems: ["conflict"],
  answers: { 200: ownSessionList },
  example: {},
  handle: async ({ actor, receivedAt }) => {
    requirePerson(actor);
    return { data: await listSessions(actor.by.userId, actor.by.sessionHash, receivedAt), nextCursor: null };
  },
}).and("DELETE", {
  operation: "account.manage",
  summary: "End all other sessions",
  answers: { 200: sessionsEnded },
  example: {},
  handle: async ({ context }) => ({ ended: await endOtherSessions(context) }),
});
