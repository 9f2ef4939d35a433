import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import type { Connection } from "#lib/contracts/connections";

type Shown = Pick<Connection, "state" | "problem">;

/** Shows the problem in amber while Signalbox still retries. */
export function ConnectionProblemNotice({ connection: { state, problem }, announce = false }: { connection: Shown; announce?: boolean }) {
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
