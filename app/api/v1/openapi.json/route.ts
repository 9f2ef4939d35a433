import { connection } from "next/server";
import { describeApi } from "../inventory.ts";

/** The OpenAPI 3.1 document. Public: it tells how to ask, and nothing of what is kept here. */
export async function GET(): Promise<Response> {
  await connection();
  return Response.json(await describeApi(), { headers: { "cache-control": "no-cache" } });
}
