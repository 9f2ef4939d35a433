import type { Outcome } from "#components/connections/connection-state";
import { problemOf } from "#lib/connections/connection-problems";
import { connectionProblemCode } from "#lib/contracts/connections";

/** Returns the outcome that the OAuth callback put into `?outcome=`; null for anything else. */
export function readOutcome(value: string | string[] | undefined): Outcome | null {
  if (value === "connected") return { connected: true };
  const code = connectionProblemCode.safeParse(value);
  return code.success ? { connected: false, problem: problemOf(code.data, null, null) } : null;
}
