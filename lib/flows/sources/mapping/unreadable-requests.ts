import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { pool } from "#lib/db/pool";
import { readEnvelope } from "#lib/platform/envelope";
import type { QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { listVerifiedOf } from "#lib/quarantine/verified-store";

/** So many of a source's newest are looked at. */
const LOOKED_AT = 500;

/** The newest requests of a source that were answered 202 and are no events: verified, in quarantine. */
export const findUnreadable = (workspaceId: WorkspaceId, sourceId: SourceId): Promise<QuarantinedRequest[]> =>
  listVerifiedOf(pool(), workspaceId, sourceId, LOOKED_AT);

/** Those that are events under a mapping. */
export const readableOf = (requests: QuarantinedRequest[], mapping: FieldMapping): QuarantinedRequest[] =>
  requests.filter(({ body }) => readEnvelope(body, mapping).outcome === "envelope");
