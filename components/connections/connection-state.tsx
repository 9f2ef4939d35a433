import { useRouter } from "next/navigation";
import { Banner, ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Button } from "#components/ui/primitives/button";
import { useNow } from "#components/ui/ticking-time";
import { untilWords } from "#components/ui/time-format";
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
