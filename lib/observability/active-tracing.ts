import { createHash } from "node:crypto";
import type { Span } from "@opentelemetry/api";
import { env } from "#lib/config/env";
import { once } from "#lib/context/once";
import type { TraceIdentity, Tracing } from "./tracing.ts";

/** Holds one tracing for the process: the pages' bundle has a copy of this module. */
const holder = () => once("tracing", (): { active: Tracing | null } => ({ active: null }));

/** Returns null if nothing is traced, which costs no more than this look. */
export const tracing = (): Tracing | null => holder().active;

/** Starts tracing if OTEL_EXPORTER_OTLP_ENDPOINT is set. The SDK is loaded only then. */
export async function startTracing(): Promise<void> {
  if (!env().OTEL_EXPORTER_OTLP_ENDPOINT) return;
  const { Tracing } = await import("./tracing.ts");
  holder().active = new Tracing();
}

export async function endTracing(): Promise<void> {
  const { active } = holder();
  holder().active = null;
  await active?.shutdown();
}

/** Returns the `traceparent` header of a span (W3C Trace Context). */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

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
