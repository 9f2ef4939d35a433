import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readKept } from "#lib/platform/reading/read-event";
import type { SourceReading } from "#lib/platform/reading/source-reading";
import { listVerifiedOf, type QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { mapInPieces } from "#lib/time/pauses";

const LOOKED_AT = 500;

/** Lists the newest verified requests in quarantine, which were answered 202 and are no events. */
export const findUnreadable = (workspaceId: WorkspaceId, sourceId: SourceId): Promise<QuarantinedRequest[]> =>
  listVerifiedOf(pool(), workspaceId, sourceId, LOOKED_AT);

export async function readableOf(requests: QuarantinedRequest[], reading: SourceReading): Promise<QuarantinedRequest[]> {
  const read = await mapInPieces(requests, (request) => readKept(request, reading).outcome === "events");
  return requests.filter((_, index) => read[index]);
}
