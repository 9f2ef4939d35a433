import { env } from "#lib/config/env";
import { onceAvailable } from "#lib/db/server/once-available";
import { say } from "#lib/processes/progress";
import { answerWhileWaiting } from "#lib/processes/server/waiting-server";

/** A full disk, and a statement over its limit of half an hour: a person has to end these. */
const FINAL = new Set(["53100", "57014"]);

type Waiting = {
  signal: AbortSignal;
  /** True if this start opens the web process's port: the wait is told there. */
  tellsOnPort: boolean;
};

/** Waits for the database as long as it takes, and says so. @throws Error at once for a wrong password or a full disk */
export async function withDatabase<T>(work: () => Promise<T>, { signal, tellsOnPort }: Waiting): Promise<T> {
  let open: Promise<() => Promise<void>> | undefined;
  try {
    return await onceAvailable(work, {
      signal,
      isFinal: ({ code }) => FINAL.has(code),
      onWait: (reason) => {
        say(`\nWaiting for the database: ${reason}. Startup continues when it responds.`);
        if (tellsOnPort) open ??= answerWhileWaiting(env().PORT, { waitsFor: () => "the database" });
        open?.catch(() => undefined); // another program took the port: the web process will say so
      },
    });
  } finally {
    await open?.then((close) => close()).catch(() => undefined);
  }
}
