import { SpanKind } from "@opentelemetry/api";
import type pg from "pg";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { env } from "#lib/config/env";
import { once } from "#lib/context/once";
import { listen } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { BoundedBodyReader } from "#lib/http/request-body";
import { addOutages, addRejections, MinuteCounter } from "#lib/ingest/minute-count-store";
import { RejectionLimiter, ReserializeBudget, SenderFetches } from "#lib/ingest/receiver-limits";
import { CommitHealth, ReceiverLog } from "#lib/ingest/receiver-log";
import { SourceCache } from "#lib/ingest/source-cache";
import { listSourceNames, readSource } from "#lib/ingest/source-lookup-store";
import { readTraceparent, traceIdentity, tracing } from "#lib/observability/active-tracing";
import { CountedLog, logger } from "#lib/observability/logger";
import { type Metrics, metrics } from "#lib/observability/metrics";
import type { Tracing } from "#lib/observability/tracing";
import { type BroughtSecret, insertFetch, keepBroughtSecret, type OnKept, type SenderFetch } from "#lib/sources/sender-fetch-store";
import { type Clock, systemClock } from "#lib/time/clock";

type WebhookTracing = { webhook: (trace: WebhookTrace) => void };

function webhookTracing(): WebhookTracing | null {
  const active = tracing();
  return active && { webhook: (trace) => traceWebhook(active, trace) };
}

export type Receiver = {
  clock: Clock;
  metrics: Metrics;
  tracing: WebhookTracing | null;
  bodies: BoundedBodyReader;
  sources: SourceCache;
  log: ReceiverLog;
  limits: RejectionLimiter;
  /** Rejected requests by source ID and minute: those not kept leave no other trace. */
  rejections: MinuteCounter<"rejected" | "kept">;
  /** 503 and 429 answers by source name and minute: while the database is unavailable, the ID may be unknown. */
  outages: MinuteCounter<"unavailable" | "limited">;
  reserializing: ReserializeBudget;
  fetches: SenderFetches<SenderFetch>;
  /** Keeps a secret that its sender brings; false if the source doesn't wait for one any more. */
  learnSecret: (brought: BroughtSecret) => Promise<boolean>;
  /** URL that senders post to, before /webhooks/<source>: some of them sign it. */
  webhookUrl: string;
  health: CommitHealth;
  /** Logs what was answered 503, a line a minute and cause. */
  notStored: CountedLog;
};

type ReceiverOptions = {
  /** Its own connections: pages that use up theirs never hold it up. */
  pool?: pg.Pool;
  /** For large bodies: small ones never wait behind them. */
  largePool?: pg.Pool;
  clock?: Clock;
  metrics?: Metrics;
  tracing?: WebhookTracing | null;
  bodies?: BoundedBodyReader;
  webhookUrl?: string;
  /** Calls back with the workspace whose sources changed; empty when that is unknown. */
  onSourceChange?: (forget: (workspaceId: string) => void) => void;
};

const MIB = 1_048_576;
const BODY_LIMITS = { maxBytes: 128 * MIB, timeoutMs: 10_000 };

/** Makes a receiver with its own caches, queues and counters; what is not given is the process's. */
export function createReceiver({
  pool: database = pool("receiver"),
  largePool = pool("receiver-large"),
  clock = systemClock,
  metrics: counted = metrics(),
  tracing: traced = webhookTracing(),
  bodies = new BoundedBodyReader(BODY_LIMITS),
  webhookUrl = env().WEBHOOK_URL,
  onSourceChange = (forget) => void listen("sources", forget),
}: ReceiverOptions = {}): Receiver {
  const health = new CommitHealth(clock);
  return {
    clock,
    metrics: counted,
    tracing: traced,
    bodies,
    sources: new SourceCache({
      read: (name) => readSource(database, name),
      listNames: () => listSourceNames(database),
      onChange: onSourceChange,
      clock,
      health,
    }),
    log: new ReceiverLog({ pool: database, largePool, clock, metrics: counted, health }),
    limits: new RejectionLimiter(),
    rejections: new MinuteCounter({ write: (counts, batch) => addRejections(database, counts, batch), clock }),
    outages: new MinuteCounter({ write: (counts, batch) => addOutages(database, counts, batch), clock }),
    reserializing: new ReserializeBudget(clock.elapsed),
    fetches: new SenderFetches((fetch) => insertFetch(database, fetch)),
    learnSecret: (brought) => keepBroughtSecret(database, brought, new Date(clock.now()), recordBrought(brought)),
    webhookUrl,
    health,
    notStored: new CountedLog((fields) => logger().warn(fields, "webhooks were answered 503 and not stored")),
  };
}

const SENDER = { kind: "system", id: null, name: "Sender", credential: null } as const;

const recordBrought =
  ({ workspaceId, sourceId }: BroughtSecret): OnKept =>
  ({ id, sourceName }, client) =>
    insertAudit(
      workspaceId,
      { action: "secret.learned", who: SENDER, target: { kind: "source", id: sourceId, name: sourceName }, after: { active: id } },
      client,
    );

export const processReceiver = (): Receiver => once("receiver", () => createReceiver());

/** Times in milliseconds since 1970. */
type StoredTrace = {
  sourceId: string;
  eventId: string;
  type: string;
  verifiedMs: number;
  committedMs: number;
  groupSize: number;
};

type WebhookTrace = {
  source: string;
  traceparent: string | string[] | undefined;
  startMs: number;
  endMs: number;
  outcome: string;
  status: number;
  stored: StoredTrace | null;
};

/** Makes the spans of an answered request. A repeat hangs below its event's trace; a rejected one has its own, as its ID is unverified. */
function traceWebhook(tracing: Tracing, { source, traceparent, startMs, endMs, outcome, status, stored }: WebhookTrace): void {
  const span = {
    name: `POST /webhooks/${source}`,
    kind: SpanKind.SERVER,
    startMs,
    endMs,
    attributes: {
      "http.request.method": "POST",
      "http.route": "/webhooks/{source}",
      "http.response.status_code": status,
      "signalbox.outcome": outcome,
      ...(stored && { "signalbox.event.id": stored.eventId, "signalbox.event.type": stored.type }),
    },
    ...(status >= 500 && { error: outcome }),
  };
  const sender = readTraceparent(traceparent);
  const links = sender ? [{ context: { ...sender, traceFlags: 1 } }] : [];
  if (stored === null) {
    tracing.root(null, span, links);
    return;
  }
  const identity = traceIdentity(stored.sourceId, stored.eventId);
  const request = outcome === "stored" ? tracing.root(identity, span, links) : tracing.below(identity, span, links);
  const { verifiedMs, committedMs, groupSize } = stored;
  tracing.child(request, { name: "verify", kind: SpanKind.INTERNAL, startMs, endMs: verifiedMs, attributes: {} });
  const attributes = { "db.system.name": "postgresql", "db.operation.batch.size": groupSize };
  tracing.child(request, { name: "append", kind: SpanKind.CLIENT, startMs: verifiedMs, endMs: committedMs, attributes });
}
