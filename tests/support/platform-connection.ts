import type { Actor } from "#lib/auth/actor";
import { findActor } from "#lib/auth/find-actor";
import type { ConnectionId } from "#lib/contracts/api/ids";
import { type ConnectOutcome, completeConnect, startConnect } from "#lib/flows/connections/connect";
import { systemClock } from "#lib/time/clock";
import { GET } from "../../app/callback/route.ts";
import { makeAccount, type TestAccount } from "./account.ts";

/** The actor behind a signed-in browser. */
export async function actorOf({ cookie }: Pick<TestAccount, "cookie">): Promise<Actor> {
  const actor = await findActor(new Headers({ cookie }), new Date());
  if (!actor) throw new Error("the session is not there");
  return actor;
}

/** Presses Connect and returns what the platform would be asked. */
export async function begin(actor: Actor, request: { name?: string; connectionId?: string } = {}) {
  const { connectionId, authorizationUrl } = await startConnect(actor, request, new Date());
  const url = new URL(authorizationUrl);
  return { connectionId, url, state: url.searchParams.get("state") ?? "" };
}

/** Somebody who has just signed in presses Connect. */
export async function beginAnew(request: { name?: string } = {}) {
  const account = await makeAccount();
  const actor = await actorOf(account);
  return { account, actor, ...(await begin(actor, request)) };
}

/** The platform sends the browser back. */
export const comeBack = (actor: Actor | null, fields: Record<string, string>, now?: Date): Promise<ConnectOutcome> =>
  completeConnect(actor, new URLSearchParams(fields), now ? { ...systemClock, now: () => now.getTime() } : systemClock);

/** The same through the route, in a browser with these headers. */
export const arrive = (query: string | Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  GET(new Request(`http://localhost:3000/callback?${typeof query === "string" ? query : new URLSearchParams(query)}`, { headers }));

/** A whole connection, made the way people make one. */
export async function connect(): Promise<{ account: TestAccount; actor: Actor; connectionId: ConnectionId }> {
  const { account, actor, connectionId, state } = await beginAnew();
  const { outcome } = await comeBack(actor, { code: "a-code", state });
  if (outcome !== "connected") throw new Error(`the connection is ${outcome}`);
  return { account, actor, connectionId };
}
