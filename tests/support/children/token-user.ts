import type { ConnectionId, WorkspaceId } from "#lib/contracts/ids";
import { closePools } from "#lib/db/pool";
import { getAccessToken } from "#lib/flows/get-access-token";
import { refreshConnection, refreshDueConnections } from "#lib/flows/refresh-connection";

// A process of its own that wants tokens: an app process (`callers` at once
// ask for one), a worker (looks for what is due), or one refresh.

type Order = { workspaceId: WorkspaceId; id: ConnectionId; work: "ask" | "sweep" | "refresh"; callers: number };

async function obey({ workspaceId, id, work, callers }: Order): Promise<unknown[]> {
  if (work === "refresh") return [await refreshConnection(workspaceId, id)];
  const asked = Array.from({ length: callers }, () => getAccessToken(workspaceId, id));
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
