import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import type { Connection } from "#lib/contracts/connections";

type Shown = Pick<Connection, "state" | "account" | "accountBefore" | "requiredScopes" | "grantedScopes">;

const LIVE: Connection["state"][] = ["connected", "expiring", "retrying"];

export function ConnectionWarnings({ connection }: { connection: Shown }) {
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
          what={`${requiredScopes.length - missing.length} of ${requiredScopes.length} permissions were granted.`}
          why={`Not granted: ${missing.join(", ")}.`}
          fix="The platform rejects calls that need them. Reconnect and approve all of them, or remove them from PLATFORM_SCOPES."
        />
      )}
    </>
  );
}
