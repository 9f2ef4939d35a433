"use client";

import { Link2, ShieldCheck, Unlink } from "lucide-react";
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

/** It works, but not as it was meant: another account, or fewer permissions than were asked for. */
const isLacking = ({ accountBefore, requiredScopes, grantedScopes }: Connection): boolean =>
  accountBefore !== null || requiredScopes.some((scope) => !grantedScopes.includes(scope));

/** What can be done now: the state decides which comes first. */
export function ConnectionActions({ connection, size = "md" }: { connection: Connection; size?: "sm" | "md" }) {
  const start = useStartConnect();
  const refresh = useRefreshConnection(connection.id);
  const words = CONNECT_WORDS[connection.state] ?? (isLacking(connection) ? "Reconnect" : undefined);
  const renewable = connection.hasRefreshToken && ["connected", "expiring", "retrying"].includes(connection.state);
  // The platform documents no call that takes a token (platform-spec "Not covered"): renewing the access is what proves it.
  function test() {
    const failed = (why: string) => toast.error(`The access of ${connection.name} is not proven`, { description: why });
    refresh.mutate(undefined, {
      onSuccess: ({ problem }) =>
        problem === null
          ? toast.success(`The access of ${connection.name} works`, { description: "The platform renewed it just now." })
          : failed(problem.what),
      onError: (error) => failed(error.message),
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
        <Button
          size={size}
          icon={<ShieldCheck aria-hidden />}
          loading={refresh.isPending}
          onClick={test}
          title="Proves the access by renewing it: the platform documents no other call."
        >
          Test
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
    const done = await disconnect.mutateAsync();
    if (done === null) {
      toast.success(`Removed ${name}`);
      router.push("/connections");
    } else if (done.revocation === "revoked") toast.success(`Disconnected ${name}`, { description: done.sentence });
    else toast.warning(`Disconnected ${name}`, { description: done.sentence });
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
