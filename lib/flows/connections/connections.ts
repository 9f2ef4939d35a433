import type pg from "pg";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import type { RevocationOutcome } from "#lib/connections/connection-problems";
import {
  deleteUnconnected,
  findConnection,
  findLastToldEvent,
  findOnlyConnection,
  type LinkCandidate,
  listHistory,
  listLastTold,
  listLinkCandidates,
  noteNotices,
  pageConnections,
  renameConnection,
  type ToldEvent,
} from "#lib/connections/connection-store";
import { eraseGrant } from "#lib/connections/tokens/grant-store";
import { findLatestRevocation } from "#lib/connections/tokens/revocation-store";
import { expectFound } from "#lib/contracts/api/app-error";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import type { ConnectionFilter } from "#lib/contracts/connection-filters";
import type { Connection, ConnectionDetail, DisconnectResult, LinkedIntegration, ListedConnection } from "#lib/contracts/connections";
import type { LinkedConnection, ViewRecord } from "#lib/contracts/views";
import { findLastEvent, type LastEvent } from "#lib/events/log/event-lookup-store";
import { eventSeconds } from "#lib/platform/event-time";
import { chooseConnection, readIntegrationNotice, tellsOfConnection } from "#lib/platform/platform-reports";
import { readingOf, readStored, type SourceReading, type SourceReadings } from "#lib/platform/read-event";
import { systemClock } from "#lib/time/clock";
import { listViews } from "#lib/views/view-list-store";
import { tryRevocation } from "./tokens.ts";

export async function listConnections(
  workspaceId: WorkspaceId,
  filter: ConnectionFilter,
  page: Paging,
  now: Date,
): Promise<Page<ListedConnection>> {
  const [{ data, nextCursor }, only] = await Promise.all([
    pageConnections(workspaceId, filter, page, now),
    findOnlyConnection(workspaceId),
  ]);
  const ids = data.map(({ id }) => id);
  const told = await listLastTold(workspaceId, ids);
  const lastOfAll = only === null ? null : await findLastEvent(workspaceId);
  const lastOf = ({ id, createdAt }: Connection) =>
    (id === only ? since(createdAt, lastOfAll)?.receivedAt : told.get(id)?.toISOString()) ?? null;
  return { data: data.map((each) => ({ ...each, lastEventAt: lastOf(each) })), nextCursor };
}

export async function readConnection(workspaceId: WorkspaceId, id: string, now: Date): Promise<ConnectionDetail | null> {
  const found = await findConnection(workspaceId, id, now);
  if (!found) return null;
  const [history, integrations, lastEvent, revocation] = await Promise.all([
    listHistory(workspaceId, id),
    listIntegrationsOf(workspaceId, id),
    lastEventOf(workspaceId, found),
    findLatestRevocation(workspaceId, id),
  ]);
  return { ...found, history, integrations, lastEvent, revocation };
}

/** Finds the last event. Assumption: a lone connection gets all events; one of several gets those that its history records. */
async function lastEventOf(workspaceId: WorkspaceId, { id, createdAt }: Connection) {
  if ((await findOnlyConnection(workspaceId)) === id) return since(createdAt, await findLastEvent(workspaceId));
  const told = await findLastToldEvent(workspaceId, id);
  return told === null ? null : findLastEvent(workspaceId, told);
}

const since = (createdAt: string, event: LastEvent | null): LastEvent | null =>
  event !== null && event.receivedAt >= createdAt ? event : null;

/** Only the integrations with the newest events are considered. */
const LOOKED_AT = 100;
const SHOWN = 10;

/** Finds an integration's connection by the same rule as its events; null when unknown. */
export async function findConnectionOf(workspaceId: WorkspaceId, integration: ViewRecord): Promise<LinkedConnection | null> {
  const chosen = choose(await listLinkCandidates(workspaceId), integration);
  return chosen && { id: chosen.id, name: chosen.name };
}

/** Lists the integrations of a connection, newest event first; at most 10. */
async function listIntegrationsOf(workspaceId: WorkspaceId, connectionId: string): Promise<LinkedIntegration[]> {
  const candidates = await listLinkCandidates(workspaceId);
  const { data } = await listViews(workspaceId, "integration", { limit: LOOKED_AT });
  const belonging = data.filter((integration) => choose(candidates, integration)?.id === connectionId);
  return belonging.slice(0, SHOWN).map(({ id, label }) => ({ id, label }));
}

/** Matches a disconnected integration by the platform's ID alone. */
function choose(candidates: LinkCandidate[], { id, fields }: ViewRecord): LinkCandidate | null {
  const account = fields.account?.value;
  const possible = candidates.filter((each) => each.linked || each.integrationId === id);
  return chooseConnection(possible, { integrationId: id, account: typeof account === "string" ? account : null });
}

const NO_CONNECTION = "connection with that ID";

/** @throws AppError `not_found` */
export async function changeConnection({ workspaceId, now, audit }: Context, id: string, name: string): Promise<ConnectionDetail> {
  const before = await expectFound(renameConnection(workspaceId, id, name), NO_CONNECTION);
  await audit.record({ action: "connection.renamed", target: { kind: "connection", id, name }, before: { name: before }, after: { name } });
  return expectFound(readConnection(workspaceId, id, now), NO_CONNECTION);
}

type Revocation = DisconnectResult["revocation"];

type DisconnectOutcome = { outcome: "disconnected"; erased: boolean; revocation: Revocation } | { outcome: "removed" };

/** Erases the tokens, then revokes them; a connection without any is removed. A renewal in progress revokes what it gets later.
 * @throws AppError `not_found` */
export async function disconnectConnection({ workspaceId, actor, now, audit }: Context, id: ConnectionId): Promise<DisconnectOutcome> {
  const before = await findConnection(workspaceId, id, now);
  const record = (after: { state: string; erased: boolean }) =>
    audit.record({
      action: "connection.disconnected",
      target: { kind: "connection", id, name: before?.name ?? null },
      before: { state: before?.state, account: before?.account ?? null },
      after,
    });
  if (await deleteUnconnected(workspaceId, id)) {
    await record({ state: "removed", erased: false });
    return { outcome: "removed" };
  }
  const done = await expectFound(eraseGrant(workspaceId, id, actorName(actor), now), NO_CONNECTION);
  await record({ state: "disconnected", erased: done.revocation !== null });
  const { revocation, refreshUnderWay } = done;
  if (revocation === null) return { outcome: "disconnected", erased: false, revocation: await revokedBefore(workspaceId, id) };
  const how = typeof revocation === "string" ? revocation : await tryRevocation(revocation, systemClock, true);
  return { outcome: "disconnected", erased: true, revocation: shownOf(how, refreshUnderWay) };
}

/** Reports `pending` during a refresh: a platform that rotates tokens may confirm the old one after it has issued a new one. */
function shownOf(how: RevocationOutcome, refreshUnderWay: boolean): Revocation {
  if (how === "not_offered") return how;
  if (refreshUnderWay || how === "failed") return "pending";
  return how === "left" || how === "unconfirmed" ? "failed" : how;
}

/** Returns the outcome of an earlier disconnection, which the caller may have missed. */
async function revokedBefore(workspaceId: WorkspaceId, id: ConnectionId): Promise<Revocation> {
  const state = await findLatestRevocation(workspaceId, id);
  return state === null ? "not_possible" : state === "waiting" ? "pending" : state;
}

const REVOCATIONS: Record<Revocation, string> = {
  revoked: "The platform confirmed that access was revoked.",
  not_offered: "No revocation URL is configured (PLATFORM_REVOKE_URL): revoke access on the platform.",
  failed: "The platform did not confirm the revocation: revoke access on the platform.",
  pending:
    "The platform has not confirmed yet that access was revoked. Signalbox keeps asking for up to 7 days, also for the tokens of a renewal that was in progress. The connection's page shows the result.",
  not_possible: "There was nothing to revoke on the platform.",
};

export const disconnectSentence = (erased: boolean, revocation: Revocation): string =>
  `${erased ? "The tokens were erased." : "There were no stored tokens."} ${REVOCATIONS[revocation]}`;

type AppliedEvent = {
  workspaceId: WorkspaceId;
  sourceId: string;
  eventId: string;
  type: string;
  created: number;
  receivedAt: Date;
  body: Uint8Array;
};

/** Applies `integration.*` events to connections, in the transaction that applies the events. Returns how many were new. */
export async function recordIntegrationEvents(
  client: pg.ClientBase,
  events: AppliedEvent[],
  readings: SourceReadings,
  now: Date,
): Promise<number> {
  const told = events
    .filter(({ type }) => tellsOfConnection(type))
    .flatMap((event) => toldEvent(event, readingOf(readings, event.sourceId)));
  return told.length === 0 ? 0 : noteNotices(client, told, now);
}

function toldEvent({ workspaceId, eventId, type, created, receivedAt, body }: AppliedEvent, reading: SourceReading): ToldEvent[] {
  if (reading.records !== "platform") return [];
  const read = readStored(body, reading);
  const notice = read.outcome === "data" ? readIntegrationNotice(type, read.data, reading.mapping) : null;
  return notice ? [{ workspaceId, eventId, created: eventSeconds(created, receivedAt), notice }] : [];
}
