import { connection } from "next/server";
import { PRODUCT_VERSION } from "#lib/config/product";

export async function GET(): Promise<Response> {
  await connection();
  return Response.json({ status: "live", version: PRODUCT_VERSION }, { headers: { "cache-control": "no-store" } });
}
