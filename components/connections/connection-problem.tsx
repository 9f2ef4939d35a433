import { ProblemNotice } from "#components/ui/problem-notice";
import type { Connection } from "#lib/contracts/connections";

type Shown = Pick<Connection, "state" | "problem">;

/** The last thing that went wrong: what, why, what to do, and the platform's own code for it. Attention while it may pass by itself. */
export function ConnectionProblemNotice({ connection: { state, problem }, announce = false }: { connection: Shown; announce?: boolean }) {
  if (problem === null) return null;
  const passes = state === "retrying" || state === "connected" || state === "expiring";
  const waits = state === "pending" && problem.code === "callback_not_registered" && problem.raw === null;
  return (
    <ProblemNotice
      announce={announce}
      tone={passes || waits ? "attention" : "failed"}
      what={problem.what}
      why={problem.why}
      mend={
        <>
          {problem.mend}
          {problem.raw === null ? null : (
            <span className="mt-1 block text-muted">
              The platform’s words: <span className="break-words font-mono text-12">{problem.raw}</span>
            </span>
          )}
        </>
      }
    />
  );
}
