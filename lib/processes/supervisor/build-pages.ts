import { env } from "#lib/config/env";
import { ensureBuild } from "#lib/installation/build";
import { type BuildProgress, progressWords } from "#lib/installation/build-progress";
import type { Tell } from "#lib/processes/progress";
import { startingPage } from "#lib/processes/server/starting-page";
import { answerWhileWaiting } from "#lib/processes/server/waiting-server";

/** Builds if needed, and shows progress on the terminal and on the web process's port. */
export async function buildPages(signal: AbortSignal, tell: Tell): Promise<string> {
  let now: BuildProgress = { percent: 0, waitsFor: "compiling" };
  let open: Promise<() => Promise<void>> | undefined;
  const waiting = { waitsFor: () => `the production build (${progressWords(now)})`, page: () => startingPage(now) };
  const onProgress = (progress: BuildProgress) => {
    now = progress;
    tell(progressWords(now));
    open ??= answerWhileWaiting(env().PORT, waiting);
    open.catch(() => undefined); // another program took the port: the web process will say so
  };
  try {
    return await ensureBuild({ signal, onProgress });
  } finally {
    await open?.then((close) => close()).catch(() => undefined);
  }
}
