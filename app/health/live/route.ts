import { connection } from "next/server";

/** The process answers. */
export async function GET(): Promise<Response> {
  await connection();
  return Response.json({ status: "live" }, { headers: { "cache-control": "no-store" } });
}
