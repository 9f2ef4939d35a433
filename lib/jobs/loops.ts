import { env } from "#lib/config/env";
import { workSearchIndex } from "#lib/flows/index-events";
import { workInbox } from "#lib/flows/process-events";
import { refreshDueConnections } from "#lib/flows/refresh-connection";
import { runRebuilds } from "#lib/flows/run-rebuilds";
import { watchFindings } from "#lib/flows/watch-findings";
import { markAlive } from "#lib/queue/heartbeat-store";
import { every, onNotification } from "#lib/queue/loop";

/** What runs all the time, in every worker; the flows see to it that workers don't get in each other's way. */
type BackgroundLoop = { name: string; isOn?: () => boolean; run: (signal: AbortSignal) => Promise<void> };

const HEARTBEAT_MS = 5000;
const REFRESH_MS = 15_000;
const WATCH_MS = 5000;
const INBOX_RESTS = { idleMs: 1000 };
/** It lets the worker apply first. */
const SEARCH_RESTS = { idleMs: 5000, gatherMs: 250 };

export const LOOPS: BackgroundLoop[] = [
  { name: "heartbeat", run: every(HEARTBEAT_MS, markAlive) },
  { name: "process-events", run: onNotification("appended", INBOX_RESTS, workInbox) },
  { name: "rebuild-views", run: runRebuilds },
  { name: "index-events", run: onNotification("appended", SEARCH_RESTS, workSearchIndex) },
  { name: "refresh-connections", run: every(REFRESH_MS, () => refreshDueConnections()) },
  { name: "watch-findings", run: every(WATCH_MS, () => watchFindings()) },
  { name: "sandbox-sender", isOn: () => env().sandboxOn, run: runSandbox },
];

/** Loaded only where it is switched on: it is the other side, and no part of a real installation. */
async function runSandbox(signal: AbortSignal): Promise<void> {
  const { runSandboxSender } = await import("#lib/sandbox/sender");
  return runSandboxSender(signal);
}
