import { SpanKind } from "@opentelemetry/api";
import { readTraceparent, traceIdentity } from "#lib/observability/tracing/trace-identity";
import type { Tracing } from "#lib/observability/tracing/tracing";

/** Times in milliseconds since 1970. */
type StoredTrace = {
  sourceId: string;
  eventId: string;
  type: string;
  verifiedMs: number;
  committedMs: number;
  groupSize: number;
};

export type WebhookTrace = {
  source: string;
  traceparent: string | string[] | undefined;
  startMs: number;
  endMs: number;
  outcome: string;
  status: number;
  stored: StoredTrace | null;
};

/** Makes the spans of an answered request. A repeat hangs below its event's trace; a rejected one has its own, as its ID is unverified. */
export function traceWebhook(tracing: Tracing, { source, traceparent, startMs, endMs, outcome, status, stored }: WebhookTrace): void {
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
