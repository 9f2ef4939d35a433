import { env } from "#lib/config/env";
import { onceAvailable } from "#lib/db/server/once-available";
import { say } from "#lib/processes/progress";
import { answerWhileWaiting } from "#lib/processes/server/waiting-server";

/** A disk that is full, and a statement over its limit of half an hour: these a person has to end. */
const FINAL = new Set(["53100", "57014"]);

type Waiting = {
  signal: AbortSignal;
  /** True if this start opens the web process's port: until then the wait is told there. */
  tellsOnPort: boolean;
};

/**
 * A step of the start that needs the database: waits for it as long as it takes, and says so, on the terminal and, where
 * the port is to be opened, to whoever asks there.
 *
 * @throws Error at once when waiting does not help: a wrong password, an unknown database, a full disk
 */
export async function withDatabase<T>(work: () => Promise<T>, { signal, tellsOnPort }: Waiting): Promise<T> {
  let open: Promise<() => Promise<void>> | undefined;
  try {
    return await onceAvailable(work, {
      signal,
      isFinal: ({ code }) => FINAL.has(code),
      onWait: (reason) => {
        say(`\nWaiting for the database: ${reason}. Startup continues when it responds.`);
        if (tellsOnPort) open ??= answerWhileWaiting(env().PORT, { waitsFor: () => "the database" });
        open?.catch(() => undefined); // somebody else took the port: the web process will say so
      },
    });
  } finally {
    await open?.then((close) => close()).catch(() => undefined);
  }
}
