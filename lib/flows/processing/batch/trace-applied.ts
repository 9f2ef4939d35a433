import { SpanKind } from "@opentelemetry/api";
import { tracing } from "#lib/observability/tracing/active-tracing";
import { traceIdentity } from "#lib/observability/tracing/trace-identity";
import type { Claimed } from "#lib/processing/inbox-store";

type Applied = { events: Claimed[]; startMs: number; endMs: number; error?: string | undefined };

export function traceApplied({ events, startMs, endMs, error }: Applied): void {
  const active = tracing();
  if (!active) return;
  for (const { sourceId, eventId, type, attempts } of events) {
    active.below(traceIdentity(sourceId, eventId), {
      name: "process",
      kind: SpanKind.CONSUMER,
      startMs,
      endMs,
      attributes: {
        "messaging.batch.message_count": events.length,
        "signalbox.event.id": eventId,
        "signalbox.event.type": type,
        "signalbox.attempt": attempts + 1,
      },
      error,
    });
  }
}
