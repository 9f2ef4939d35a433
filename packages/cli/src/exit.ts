export const EXIT = { fine: 0, failed: 1, usage: 2, gaveUp: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure with a message for people. Printed without a stack. */
export class CliError extends Error {
  override name = "CliError";
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, { hint, exitCode = EXIT.failed }: { hint?: string | undefined; exitCode?: ExitCode } = {}) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string, hint?: string): CliError => new CliError(message, { hint, exitCode: EXIT.usage });
