import { Link2, Pencil, ShieldCheck, Unlink } from "lucide-react";
import { useRouter } from "next/navigation";
import { FormDialog } from "#components/shell/form-dialog";
import { useCommands } from "#components/shell/palette/commands";
import { Banner, ProblemNotice } from "#components/ui/feedback/problem-notice";
import { tellFailure, tellOutcome, toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useNow } from "#components/ui/relative-time";
import { untilWords } from "#components/ui/time-format";
import { useDisconnect, useRefreshConnection, useRenameConnection, useStartConnect } from "#lib/client/queries/connections";
import type { Connection, ConnectionProblem } from "#lib/contracts/connections";
import { countWords } from "#lib/contracts/format-count";

type FailedConnection = Pick<Connection, "state" | "problem">;

/** Shows the problem in amber while Signalbox still retries. */
export function ConnectionProblemNotice({
  connection: { state, problem },
  announce = false,
}: {
  connection: FailedConnection;
  announce?: boolean;
}) {
  if (problem === null) return null;
  const retries = state === "retrying" || state === "connected" || state === "expiring";
  const notRegistered = state === "pending" && problem.code === "callback_not_registered" && problem.raw === null;
  return (
    <ProblemNotice
      announce={announce}
      tone={retries || notRegistered ? "attention" : "failed"}
      what={problem.what}
      why={problem.why}
      fix={
        <>
          {problem.fix}
          {problem.raw === null ? null : (
            <span className="mt-1 block text-muted">
              Platform error: <span className="break-words font-mono text-12">{problem.raw}</span>
            </span>
          )}
        </>
      }
    />
  );
}

type GrantedConnection = Pick<Connection, "state" | "account" | "accountBefore" | "requiredScopes" | "grantedScopes">;

const LIVE: Connection["state"][] = ["connected", "expiring", "retrying"];

export function ConnectionWarnings({ connection }: { connection: GrantedConnection }) {
  const { state, account, accountBefore, requiredScopes, grantedScopes } = connection;
  if (!LIVE.includes(state)) return null;
  const missing = requiredScopes.filter((scope) => !grantedScopes.includes(scope));
  return (
    <>
      {accountBefore === null ? null : (
        <ProblemNotice
          tone="attention"
          what={`This is now a different account: ${account ?? "an unnamed one"}.`}
          why={`This connection was ${accountBefore} before. Its ID and history are unchanged.`}
          fix={`If this isn't what you want, reconnect and choose ${accountBefore}.`}
        />
      )}
      {missing.length === 0 ? null : (
        <ProblemNotice
          tone="attention"
          what={`${requiredScopes.length - missing.length} of ${countWords(requiredScopes.length, "permission was", "permissions were")} granted.`}
          why={`Not granted: ${missing.join(", ")}.`}
          fix="The platform rejects calls that need them. Reconnect and approve all of them, or remove them from PLATFORM_SCOPES."
        />
      )}
    </>
  );
}

export type Outcome = { connected: true } | { connected: false; problem: Pick<ConnectionProblem, "what" | "why" | "fix"> };

/** Shows the outcome; dismissing it also removes it from the URL. */
export function OutcomeNotice({ outcome, name, here }: { outcome: Outcome; name: string | null; here: string }) {
  const router = useRouter();
  const dismiss = () => router.replace(here);
  if (outcome.connected) {
    return (
      <Banner tone="fine" onDismiss={dismiss}>
        {name === null ? "Connected." : `Connected ${name}. Signalbox renews its access automatically.`}
      </Banner>
    );
  }
  const { what, why, fix } = outcome.problem;
  return (
    <ProblemNotice
      announce
      what={what}
      why={why}
      fix={fix}
      action={
        <Button size="sm" onClick={dismiss}>
          Dismiss
        </Button>
      }
    />
  );
}

type Times = Pick<Connection, "state" | "accessExpiresAt" | "expiryKnown" | "nextRefreshAt" | "hasRefreshToken">;

export function Expiry({ connection }: { connection: Times }) {
  const now = useNow();
  return <span suppressHydrationWarning>{expiryWords(connection, now)}</span>;
}

export function expiryWords(connection: Times, now: number): string {
  const { state, accessExpiresAt, expiryKnown, nextRefreshAt, hasRefreshToken } = connection;
  if (state === "pending" || state === "disconnected") return "–";
  if (state === "needs_reauthorization") return "No longer valid";
  if (accessExpiresAt === null || !expiryKnown)
    return hasRefreshToken ? "Not provided by the platform · renews when needed" : "Not provided by the platform";
  const left = Date.parse(accessExpiresAt) - now;
  if (left <= 0) return "Expired";
  const renewal = nextRefreshAt === null || !hasRefreshToken ? null : Date.parse(nextRefreshAt) - now;
  const renewed = renewal === null ? "" : renewal <= 0 ? " · renewing now" : ` · renews in ${untilWords(renewal)}`;
  return `Expires in ${untilWords(left)}${renewed}`;
}

const CONNECT_LABELS: Partial<Record<Connection["state"], string>> = {
  pending: "Connect",
  disconnected: "Reconnect",
  needs_reauthorization: "Reconnect",
  expiring: "Reconnect",
};

/** True if it is connected to a different account, or with fewer permissions than requested. */
const needsReconnect = ({ accountBefore, requiredScopes, grantedScopes }: Connection): boolean =>
  accountBefore !== null || requiredScopes.some((scope) => !grantedScopes.includes(scope));

type ConnectionActionsProps = {
  connection: Connection /** A platform is configured, or the sandbox is on. */;
  canConnect: boolean;
  size?: "sm" | "md";
};

export function ConnectionActions({ connection, canConnect, size = "md" }: ConnectionActionsProps) {
  const start = useStartConnect();
  const refresh = useRefreshConnection(connection.id);
  const connectLabel = CONNECT_LABELS[connection.state] ?? (needsReconnect(connection) ? "Reconnect" : undefined);
  const renewable = connection.hasRefreshToken && ["connected", "expiring", "retrying"].includes(connection.state);
  // The platform documents no call that checks a token (docs/platform.md, "Not covered"), so access is verified by renewing it.
  const test = () => {
    const failed = `Couldn't verify ${connection.name}`;
    tellOutcome(
      refresh.mutateAsync(),
      ({ problem }) =>
        problem === null
          ? toast.success(`Verified ${connection.name}`, { description: "The platform just renewed its access." })
          : toast.error(failed, { description: problem.what }),
      failed,
    );
  };
  const connect = () => tellFailure(start.mutateAsync({ connectionId: connection.id }), `Couldn't connect ${connection.name}`);
  // In a list, every connection would register these commands.
  const onOwnPage = size === "md";
  useCommands([
    ...(onOwnPage && renewable ? [{ label: "Test this connection", run: test }] : []),
    ...(onOwnPage && canConnect && connectLabel !== undefined ? [{ label: `${connectLabel} this account`, run: connect }] : []),
  ]);
  return (
    <>
      {onOwnPage ? <Rename connection={connection} /> : null}
      {connection.state === "disconnected" ? null : <Disconnect connection={connection} size={size} />}
      {renewable ? (
        <Button
          size={size}
          icon={<ShieldCheck />}
          loading={refresh.isPending}
          onClick={test}
          title="Verifies access by renewing it. The platform documents no other way to check."
        >
          Test
        </Button>
      ) : null}
      {connectLabel === undefined ? null : (
        <Button size={size} variant="primary" icon={<Link2 />} disabled={!canConnect} loading={start.isPending} onClick={connect}>
          {connectLabel}
        </Button>
      )}
    </>
  );
}

function Rename({ connection: { id, name, account } }: { connection: Connection }) {
  const rename = useRenameConnection(id);
  return (
    <FormDialog
      title={`Rename ${name}`}
      description={
        account === null || account === name ? "Its account and history stay." : `It is the account ${account}, whatever its name.`
      }
      trigger={
        <Button variant="ghost" icon={<Pencil />}>
          Rename
        </Button>
      }
      command="Rename this connection"
      failed={`Couldn't rename ${name}`}
      submitLabel="Rename connection"
      onSubmit={async (fields) => {
        const { name: now } = await rename.mutateAsync({ name: String(fields.get("name")).trim() });
        toast.success(`Renamed ${name} to ${now}`);
      }}
    >
      <Field name="name" label="Name" hint="What your team calls this account, e.g. “Acme production”.">
        <Input name="name" required maxLength={80} defaultValue={name.slice(0, 80)} autoFocus />
      </Field>
    </FormDialog>
  );
}

/** Deletes a connection that was never connected; for any other, deletes its tokens and keeps its history. */
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
        <Button size={size} variant="ghost" icon={<Unlink />}>
          {verb}
        </Button>
      }
      title={`${verb} ${name}?`}
      description={
        verb === "Remove"
          ? "It was never connected, so nothing is lost."
          : "Its tokens are deleted here and revoked on the platform. Received events are kept. You can reconnect it later."
      }
      confirmLabel={`${verb} ${name}`}
      danger
      onConfirm={confirm}
    />
  );
}
