import { otherMethods } from "#lib/api/define-route";
import { env } from "#lib/config/env";
import { describeApi } from "../inventory.ts";

const isLocal = (url: string): boolean => /^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);

export const dynamic = "force-dynamic";

/** Public: it describes the API and reveals no data. */
export async function GET(): Promise<Response> {
  const { servers, ...document } = await describeApi();
  // Another machine, which reached this one by another name, would take localhost for itself.
  const relative = servers.map((server) => ({ ...server, url: "/" }));
  const reachable = isLocal(env().APP_URL) ? relative : servers;
  return Response.json({ ...document, servers: reachable }, { headers: { "cache-control": "no-cache" } });
}

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
