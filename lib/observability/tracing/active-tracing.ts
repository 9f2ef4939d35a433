import type { Span } from "@opentelemetry/api";
import { env } from "#lib/config/env";
import { once } from "#lib/context/once";
import type { Tracing } from "./tracing.ts";

/** Kept in one place of the process: the pages' bundle has a copy of this module. */
const holder = () => once("tracing", (): { active: Tracing | null } => ({ active: null }));

/** Returns what makes this process's spans; null while nothing is traced, which costs no more than this look. */
export const tracing = (): Tracing | null => holder().active;

/** Begins to trace where OTEL_EXPORTER_OTLP_ENDPOINT names a collector. The SDK is loaded only then. */
export async function startTracing(): Promise<void> {
  if (!env().OTEL_EXPORTER_OTLP_ENDPOINT) return;
  const { Tracing } = await import("./tracing.ts");
  holder().active = new Tracing();
}

/** Sends what waits, and traces no more. */
export async function endTracing(): Promise<void> {
  const { active } = holder();
  holder().active = null;
  await active?.shutdown();
}

/** The `traceparent` header of a span (W3C Trace Context). */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
