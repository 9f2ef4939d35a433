import { ProblemNotice } from "#components/ui/problem-notice";
import type { Connection } from "#lib/contracts/connections";

type Shown = Pick<Connection, "state" | "account" | "accountBefore" | "requiredScopes" | "grantedScopes">;

const LIVE: Connection["state"][] = ["connected", "expiring", "retrying"];

/** What a working connection still lacks: permissions that were not granted, or the account that it used to be. */
export function ConnectionWarnings({ connection }: { connection: Shown }) {
  const { state, account, accountBefore, requiredScopes, grantedScopes } = connection;
  if (!LIVE.includes(state)) return null;
  const missing = requiredScopes.filter((scope) => !grantedScopes.includes(scope));
  return (
    <>
      {accountBefore === null ? null : (
        <ProblemNotice
          tone="attention"
          what={`Another account came back: ${account ?? "one without a name"}.`}
          why={`Before, this connection was ${accountBefore}. Its id and history are the same.`}
          mend={`If that was not meant, reconnect and choose ${accountBefore}.`}
        />
      )}
      {missing.length === 0 ? null : (
        <ProblemNotice
          tone="attention"
          what={`${requiredScopes.length - missing.length} of ${requiredScopes.length} permissions were granted.`}
          why={`Not granted: ${missing.join(", ")}.`}
          mend="What needs them is refused by the platform. Reconnect and approve all of them, or take them out of PLATFORM_SCOPES."
        />
      )}
    </>
  );
}
