import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { closePools } from "#lib/db/pool";
import { refreshAndWait, refreshConnection, refreshDueConnections } from "#lib/flows/connections/refresh-connection";

// A process of its own that renews: an app process (`callers` at once ask for
// it), a worker (looks for what is due too), or one refresh.

type Order = { workspaceId: WorkspaceId; id: ConnectionId; work: "ask" | "sweep" | "refresh"; callers: number; askedAt: number };

async function obey({ workspaceId, id, work, callers, askedAt }: Order): Promise<unknown[]> {
  if (work === "refresh") return [await refreshConnection(workspaceId, id)];
  const asked = Array.from({ length: callers }, () => refreshAndWait(workspaceId, id, new Date(askedAt)));
  if (work === "sweep") await refreshDueConnections();
  return Promise.all(asked);
}

process.on("message", (order: Order) => {
  void obey(order).then(async (results) => {
    await closePools();
    process.send?.({ results }, () => process.exit(0));
  });
});
process.send?.({ ready: true });
