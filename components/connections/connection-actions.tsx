"use client";

import { Link2, RefreshCw, Unlink } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { toast } from "#components/ui/toast";
import { useDisconnect, useRefreshConnection, useStartConnect } from "#lib/client/connections";
import type { Connection } from "#lib/contracts/connections";

const CONNECT_WORDS: Partial<Record<Connection["state"], string>> = {
  pending: "Connect",
  disconnected: "Connect again",
  needs_reauthorization: "Reconnect",
  expiring: "Reconnect",
};

/** What can be done now: the state decides which comes first. */
export function ConnectionActions({ connection, size = "md" }: { connection: Connection; size?: "sm" | "md" }) {
  const start = useStartConnect();
  const refresh = useRefreshConnection(connection.id);
  const words = CONNECT_WORDS[connection.state];
  const renewable = connection.hasRefreshToken && ["connected", "expiring", "retrying"].includes(connection.state);
  function renew() {
    refresh.mutate(undefined, {
      onSuccess: ({ problem }) =>
        problem === null
          ? toast.success(`Renewed the access of ${connection.name}`)
          : toast.error(`The access of ${connection.name} was not renewed`, { description: problem.what }),
      onError: (error) => toast.error(`The access of ${connection.name} was not renewed`, { description: error.message }),
    });
  }
  function connect() {
    start.mutate(
      { connectionId: connection.id },
      { onError: (error) => toast.error(`Connecting ${connection.name} did not start`, { description: error.message }) },
    );
  }
  return (
    <>
      {connection.state === "disconnected" ? null : <Disconnect connection={connection} size={size} />}
      {renewable ? (
        <Button size={size} icon={<RefreshCw aria-hidden />} loading={refresh.isPending} onClick={renew}>
          Renew now
        </Button>
      ) : null}
      {words === undefined ? null : (
        <Button size={size} variant="primary" icon={<Link2 aria-hidden />} loading={start.isPending} onClick={connect}>
          {words}
        </Button>
      )}
    </>
  );
}

/** One that was never connected is removed with all that is known of it; else its tokens are erased and it stays. */
function Disconnect({ connection: { id, name, connectedAt }, size }: { connection: Connection; size: "sm" | "md" }) {
  const router = useRouter();
  const disconnect = useDisconnect(id);
  const verb = connectedAt === null ? "Remove" : "Disconnect";
  async function confirm() {
    await disconnect.mutateAsync();
    toast.success(`${verb === "Remove" ? "Removed" : "Disconnected"} ${name}`);
    if (verb === "Remove") router.push("/connections");
  }
  return (
    <ConfirmDialog
      trigger={
        <Button size={size} variant="ghost" icon={<Unlink aria-hidden />}>
          {verb}
        </Button>
      }
      title={`${verb} ${name}?`}
      description={
        verb === "Remove"
          ? "It was never connected: nothing is lost."
          : "Its tokens are erased here and taken back at the platform. Events that have come in stay. You can connect it again later."
      }
      confirmLabel={`${verb} ${name}`}
      danger
      onConfirm={confirm}
    />
  );
}
