import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { isUnderWay } from "#lib/contracts/operation-states";
import type { Operation, OperationKind } from "#lib/contracts/operations";
import { call, reading, readingRows, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";

export const LOOK_MS = 700;

export const operationQuery = (id: string) =>
  queryOptions({
    ...reading([...KEYS.operations, id], "GET /api/v1/operations/{id}", { id }),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : LOOK_MS),
  });

export const newestOperationQuery = (kind: OperationKind) =>
  queryOptions({
    ...readingRows([...KEYS.operations, "newest", kind], "GET /api/v1/operations", { query: { kind, limit: 1 } }),
    select: ([newest = null]) => newest,
    refetchInterval: ({ state: { data: [newest] = [] } }) => (newest && isUnderWay(newest) ? LOOK_MS : false),
  });

/** Lists that show operations of a kind among their own. */
const LISTS: Record<OperationKind, QueryKey[]> = {
  redelivery: [KEYS.redeliveries],
  rebuild: [KEYS.settings],
  release: [KEYS.quarantine, KEYS.quarantined],
  export: [],
  retry: [KEYS.deliveries, KEYS.destinations],
  relearn: [],
};

export function useOperationActions({ id, kind }: Pick<Operation, "id" | "kind">) {
  const shown = [KEYS.operations, ...LISTS[kind]];
  const into = () => operationQuery(id).queryKey;
  const stop = useChange(() => call("POST /api/v1/operations/{id}/stop", { id }), shown, into);
  const resume = useChange(() => call("POST /api/v1/operations/{id}/resume", { id }), shown, into);
  return { stop, resume };
}
