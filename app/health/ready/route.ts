import { connection } from "next/server";
import { readReadiness } from "#lib/flows/read-readiness";

/** Process, database and worker; 503 names the part that is ill. */
export async function GET(): Promise<Response> {
  await connection();
  const readiness = await readReadiness(new Date());
  return Response.json(readiness, { status: readiness.status === "ready" ? 200 : 503, headers: { "cache-control": "no-store" } });
}
