import { otherMethods } from "#lib/api/define-route";
import { describeApi } from "../inventory.ts";

export const dynamic = "force-dynamic";

/** Public: it describes the API and reveals no data. */
export async function GET(): Promise<Response> {
  return Response.json(await describeApi(), { headers: { "cache-control": "no-cache" } });
}

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
