import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import {
  attemptOutcome,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryFilter,
  delivery,
  deliveryAttempt,
} from "#lib/contracts/forwarding/deliveries";
import { maskedUrl } from "#lib/contracts/safe-urls";
import { answered } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { findBodies, findPositions } from "#lib/events/log/event-body-store";
import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { publicDeliveryId, readDeliveryId } from "#lib/forwarding/delivery";
import {
  findDelivery,
  listDeliveries,
  listDeliveryAttempts,
  type StoredAttempt,
  type StoredDelivery,
} from "#lib/forwarding/delivery-store";
import { titleOfType } from "#lib/platform/event-catalogue";
import { findNames } from "#lib/views/view-list-store";

const CURSOR = new Cursor("deliveries", { receivedAt: "time", seq: "integer", id: "integer" });

export async function readDeliveries(workspaceId: WorkspaceId, filter: DeliveryFilter, { limit, cursor }: Paging): Promise<Page<Delivery>> {
  const after = CURSOR.decode(cursor, filter);
  const events = filter.event === undefined ? undefined : await findPositions(workspaceId, [filter.event]);
  const { destination, state: states, type: types, outcome: outcomes } = filter;
  const period = { from: filter.from ? new Date(filter.from) : undefined, to: filter.to ? new Date(filter.to) : undefined };
  const rows = await listDeliveries(workspaceId, { destination, states, types, outcomes, ...period, events }, limit + 1, after);
  return { data: await nameSubjects(workspaceId, rows.slice(0, limit).map(deliveryOf)), nextCursor: CURSOR.next(rows, limit, filter) };
}

export async function readDelivery(workspaceId: WorkspaceId, publicId: string): Promise<DeliveryDetail | null> {
  const id = readDeliveryId(publicId);
  const stored = id === null ? null : await findDelivery(workspaceId, id);
  if (!stored) return null;
  const [attempts, bodies] = await Promise.all([listDeliveryAttempts(workspaceId, stored.id), findBodies([{ ...stored, bytes: 0 }])]);
  const body = bodies.get(stored.seq);
  const [named] = await nameSubjects(workspaceId, [deliveryOf(stored)]);
  return { ...(named ?? deliveryOf(stored)), attemptLog: attempts.map(attemptOf), body: body ? bytesOf(body) : null };
}

async function nameSubjects(workspaceId: WorkspaceId, deliveries: Delivery[]): Promise<Delivery[]> {
  const refs = deliveries.flatMap(({ subject }) => {
    const end = subject.indexOf(":");
    return end === -1 ? [] : [{ kind: subject.slice(0, end), id: subject.slice(end + 1) }];
  });
  const names = await findNames(workspaceId, refs);
  return deliveries.map((each) => {
    const name = names.get(each.subject);
    return name === undefined ? each : { ...each, subjectName: name };
  });
}

function deliveryOf(stored: StoredDelivery): Delivery {
  const outcome = attemptOutcome.safeParse(stored.lastCode).data;
  const isDue = stored.state === "waiting" || stored.state === "retrying";
  const { receivedAt, lastCode } = stored;
  return answered(delivery, {
    ...stored,
    id: publicDeliveryId(stored.id),
    destination: { id: stored.destinationId, name: stored.destinationName },
    event: { id: stored.eventId, type: stored.type, title: titleOfType(stored.type), receivedAt: receivedAt.toISOString() },
    attempts: stored.tries,
    nextAttemptAt: isDue ? stored.dueAt : null,
    last: lastCode === null ? null : { outcome: lastCode, detail: stored.lastText ?? "", fix: outcome ? fixOf(outcome) : null },
  });
}

function attemptOf(stored: StoredAttempt): DeliveryAttempt {
  const outcome = attemptOutcome.parse(stored.outcome);
  const { status, responseHeaders, responseBody } = stored;
  return answered(deliveryAttempt, {
    ...stored,
    id: String(stored.id),
    outcome,
    fix: fixOf(outcome),
    request: { method: "POST", url: maskedUrl(stored.url), headers: stored.requestHeaders },
    response: status === null ? null : { status, headers: responseHeaders ?? {}, body: bytesOf(responseBody ?? Buffer.alloc(0)) },
    durations: { dns: stored.dnsMs, connect: stored.connectMs, tls: stored.tlsMs, firstByte: stored.firstByteMs, total: stored.totalMs },
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function bytesOf(bytes: Uint8Array): { text: string | null; base64: string } {
  const base64 = Buffer.from(bytes).toString("base64");
  try {
    return { text: utf8.decode(bytes), base64 };
  } catch {
    return { text: null, base64 };
  }
}
