import { connection } from "next/server";
import { metrics } from "#lib/observability/metrics";

/** This process's metrics in the Prometheus text format. Counts alone: no ids, no names. */
export async function GET(): Promise<Response> {
  await connection();
  const { registry } = metrics();
  return new Response(await registry.metrics(), { headers: { "content-type": registry.contentType, "cache-control": "no-store" } });
}
