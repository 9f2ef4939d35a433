/** Exit codes: 0 success, 1 failed, 2 wrong usage, 3 gave up reconnecting. */
export const EXIT = { fine: 0, failed: 1, usage: 2, gaveUp: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure: what happened and what to do, in words for people. Printed without a stack. */
export class CliError extends Error {
  override name = "CliError";
  readonly exitCode: ExitCode;
  /** The fix; on a line of its own. */
  readonly hint: string | undefined;

  constructor(message: string, { hint, exitCode = EXIT.failed }: { hint?: string | undefined; exitCode?: ExitCode } = {}) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** The command was used wrongly. */
export const usageError = (message: string, hint?: string): CliError => new CliError(message, { hint, exitCode: EXIT.usage });
