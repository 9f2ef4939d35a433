import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { AttemptResult } from "#lib/forwarding/attempt/send-attempt";
import type { DueDelivery } from "#lib/forwarding/sender/due-delivery-store";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";
import { traceparentOf, tracing } from "#lib/observability/tracing/active-tracing";
import { traceIdentity } from "#lib/observability/tracing/trace-identity";

/** `end` with null: the attempt was given up. */
export type TracedSend = { headers: { traceparent: string }; end: (result: AttemptResult | null) => void };

/** Begins the span of an attempt in the trace of its event; null while nothing is traced. @param number of the attempt, from 1 */
export function beginSend({ name, url }: LeasedDestination, { sourceId, eventId, type }: DueDelivery, number: number): TracedSend | null {
  const active = tracing();
  if (!active) return null;
  const span = active.begin(traceIdentity(sourceId, eventId), `send ${name}`, SpanKind.CLIENT, {
    "http.request.method": "POST",
    "server.address": URL.parse(url)?.hostname ?? "",
    "http.request.resend_count": number - 1,
    "signalbox.event.id": eventId,
    "signalbox.event.type": type,
  });
  return {
    headers: { traceparent: traceparentOf(span) },
    end: (result) => {
      if (result?.answer) span.setAttribute("http.response.status_code", result.answer.status);
      if (result?.outcome !== "delivered") {
        span.setAttribute("error.type", result ? result.outcome : "aborted");
        span.setStatus({ code: SpanStatusCode.ERROR, ...(result && { message: result.detail }) });
      }
      span.end();
    },
  };
}
