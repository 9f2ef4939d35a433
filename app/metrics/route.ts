import { connection } from "next/server";
import { readMetrics } from "#lib/flows/read-metrics";

/** This process's metrics and the installation's, in the Prometheus text format. Counts alone: no ids, no names. */
export async function GET(): Promise<Response> {
  await connection();
  const { contentType, text } = await readMetrics();
  return new Response(text, { headers: { "content-type": contentType, "cache-control": "no-store" } });
}
