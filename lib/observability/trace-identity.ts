import { createHash } from "node:crypto";

/** W3C Trace Context: 16 and 8 bytes in lowercase hexadecimal digits. */
export type TraceIdentity = { traceId: string; spanId: string };

/** Computes the trace of an event, so that nothing is stored: a worker, a sender and a retry days later use the same one. */
export function traceIdentity(sourceId: string, eventId: string): TraceIdentity {
  const digest = createHash("sha256").update(`${sourceId}\n${eventId}`).digest("hex");
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

/** Returns null for a missing or malformed header. */
export function readTraceparent(header: string | string[] | undefined): TraceIdentity | null {
  const [, traceId, spanId] = TRACEPARENT.exec(String(header ?? "")) ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId };
}
