import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/paging";
import { operationOfRedelivery } from "#lib/contracts/operations/operation-states";
import type { Operation, OperationQuery } from "#lib/contracts/operations/operations";
import { listOperations as listStored } from "#lib/operations/operation-store";
import { listRedeliveries } from "#lib/processing/redelivery/redelivery-store";
import { showOperation } from "./show-operation.ts";

export async function listOperations(workspaceId: WorkspaceId, { kind, ...page }: OperationQuery): Promise<Page<Operation>> {
  if (kind !== "redelivery") {
    const { data, nextCursor } = await listStored(workspaceId, kind, page);
    return { data: data.map(showOperation), nextCursor };
  }
  const { data, nextCursor } = await listRedeliveries(workspaceId, page);
  return { data: data.map(operationOfRedelivery).filter((operation) => operation !== null), nextCursor };
}
