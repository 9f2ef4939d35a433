import { connection } from "next/server";
import { processReceiver } from "#lib/flows/ingest/receiver";
import { readReadiness } from "#lib/flows/installation/read-readiness";

/** Checks process, database and worker; a 503 names the part that failed. */
export async function GET(): Promise<Response> {
  await connection();
  const readiness = await readReadiness(processReceiver().health);
  return Response.json(readiness, { status: readiness.status === "ready" ? 200 : 503, headers: { "cache-control": "no-store" } });
}
