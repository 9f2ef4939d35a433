import { connection } from "next/server";
import { rejectScrape } from "#lib/api/metrics-access";
import { readMetrics } from "#lib/flows/installation/read-metrics";
import { problemResponse } from "#lib/http/problem";

/** Prometheus text format, for this process and the installation. Counts only: no IDs, no names. */
export async function GET(request: Request): Promise<Response> {
  await connection();
  const rejected = rejectScrape(request);
  if (rejected) return problemResponse(rejected.error, rejected.headers);
  const { contentType, text } = await readMetrics();
  return new Response(text, { headers: { "content-type": contentType, "cache-control": "no-store" } });
}
