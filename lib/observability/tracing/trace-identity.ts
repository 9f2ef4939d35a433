import { createHash } from "node:crypto";

/** W3C Trace Context: 16 and 8 bytes in small hexadecimal digits. */
export type TraceIdentity = { traceId: string; spanId: string };

/**
 * The trace of an event, and the span of the request that brought it. Computed
 * from what the event is, so that nothing is stored: a worker, a sender and a
 * retry days later name the same trace.
 */
export function traceIdentity(sourceId: string, eventId: string): TraceIdentity {
  const digest = createHash("sha256").update(`${sourceId}\n${eventId}`).digest("hex");
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

/** Returns what a `traceparent` header names; null for none, or one that is not well-formed. */
export function readTraceparent(header: string | string[] | undefined): TraceIdentity | null {
  const [, traceId, spanId] = TRACEPARENT.exec(String(header ?? "")) ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId };
}
