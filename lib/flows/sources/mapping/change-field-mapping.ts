import { isDeepStrictEqual } from "node:util";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId } from "#lib/contracts/api/ids";
import type { FieldMapping, FieldMappingChanged } from "#lib/contracts/sources/field-mapping";
import { notifyOnCommit } from "#lib/db/notify/notify";
import { inTransaction, pool } from "#lib/db/pool";
import { listPositions } from "#lib/events/log/position-store";
import { findMappedSource, putMapping } from "#lib/sources/field-mapping-store";
import { lockReadings } from "#lib/sources/reading-store";
import { findReading } from "./read-field-mapping.ts";
import { findUnreadable, readableOf } from "./unreadable-requests.ts";

const COUNTED = 1001;

/** Replaces a field mapping. What was read before stays until it is re-delivered or rebuilt (docs/decisions/0061).
 * @throws AppError `not_found` */
export async function changeFieldMapping(
  actor: Actor,
  sourceId: SourceId,
  mapping: FieldMapping,
  now: Date,
  audit: Audit,
): Promise<FieldMappingChanged> {
  const { workspaceId } = actor;
  const { name, notifyHere } = await inTransaction(pool(), async (client) => {
    await lockReadings(client);
    const source = await findMappedSource(workspaceId, sourceId, client);
    if (!source) throw new AppError("not_found", "There is no source with that ID.");
    if (isDeepStrictEqual(source.mapping, mapping)) {
      audit.unchanged();
      return { name: source.name, notifyHere: () => undefined };
    }
    await putMapping(client, workspaceId, sourceId, mapping, actorName(actor));
    const target = { kind: "source", id: sourceId, name: source.name };
    const [before, after] = [{ mapping: source.mapping }, { mapping }];
    await audit.record({ action: "source.field_mapping_changed", target, before, after }, client);
    // The receiver keeps what it knows of a source for some seconds.
    return { name: source.name, notifyHere: await notifyOnCommit(client, "sources", workspaceId) };
  });
  notifyHere();
  const requests = await findUnreadable(workspaceId, sourceId);
  return {
    mapping,
    failedEvents: (await listPositions(workspaceId, { source: name, state: ["failed"] }, COUNTED, now)).length,
    releasable: (await readableOf(requests, await findReading(sourceId, mapping))).length,
  };
}
