import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { putTimesRight } from "#lib/db/clock-set-back";
import { newestKnownMigration } from "#lib/db/migrate";
import { pool } from "#lib/db/pool";
import { sendAlerts } from "#lib/flows/alerts/send-alerts";
import { sendHeartbeat, WATCH_MS as WATCH_ALERTS_MS, watchRound } from "#lib/flows/alerts/watch-alerts";
import { REFRESH_ROUND_MS, refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { revokeWaiting } from "#lib/flows/connections/tokens";
import { runLearning } from "#lib/flows/event-types/learn-event-types";
import { runRelearning } from "#lib/flows/event-types/relearn";
import { countHours } from "#lib/flows/events/count-hours";
import { workSearchIndex } from "#lib/flows/events/index-for-search";
import { runRetries } from "#lib/flows/forwarding/deliveries";
import { runSenders } from "#lib/flows/forwarding/sending/run-senders";
import { runProofs } from "#lib/flows/installation/backup/prove-backups";
import { runBackups } from "#lib/flows/installation/backup/run-backups";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { workInbox, workInboxApart } from "#lib/flows/processing/process-events";
import { afterReceivers } from "#lib/flows/processing/receive-first";
import { DIAGNOSE_ROUND_MS, diagnoseRound } from "#lib/flows/quarantine/diagnoses";
import { runReleases } from "#lib/flows/quarantine/release-quarantined";
import { fetchForSenders } from "#lib/flows/sources/fetch-for-senders";
import { runRebuilds } from "#lib/flows/views/rebuild-views";
import { readSource } from "#lib/ingest/source-lookup-store";
import { markAlive } from "#lib/processing/heartbeat-store";
import { adoptOwnerless, saveFirstSigningSecret, savePlatform } from "#lib/sandbox/sandbox-store";
import { listMainSources, type MainSource } from "#lib/sources/source-store";
import { every, type LoopRun, onNotification, polling } from "./loop.ts";

type BackgroundLoop = { name: string; isOn?: () => boolean; run: LoopRun };

const HEARTBEAT_MS = 5000;
const WATCH_MS = 5000;
/** A crash or restart delays no alert by more than this. */
const SEND_ALERTS_MS = 1000;
const REVOKE_MS = 5000;
/** Short, because a sender that waits for its certificate sends again within seconds. */
const FETCH_MS = 1000;
const INBOX_REST_MS = 1000;
const APART_REST_MS = 500;
/** Applied events are indexed when they are applied; this loop takes the rest, which settles after five seconds. */
const SEARCH_REST_MS = 5000;
const COUNT_REST_MS = 5000;

const watchAlerts = watchRound();
const diagnoseQuarantine = diagnoseRound();

export const LOOPS: BackgroundLoop[] = [
  { name: "heartbeat", run: every(HEARTBEAT_MS, beat) },
  { name: "process-events", run: onNotification("appended", INBOX_REST_MS, afterReceivers(workInbox)) },
  { name: "process-events-apart", run: polling(APART_REST_MS, workInboxApart) },
  { name: "learn-event-types", run: runLearning },
  { name: "forward-events", run: runSenders },
  { name: "rebuild-views", run: runRebuilds },
  { name: "release-quarantined", run: runReleases },
  { name: "diagnose-quarantined", run: every(DIAGNOSE_ROUND_MS, () => diagnoseQuarantine()) },
  { name: "relearn-event-types", run: runRelearning },
  { name: "retry-deliveries", run: runRetries },
  { name: "make-backups", isOn: () => env().backup !== null, run: runBackups },
  { name: "prove-backups", isOn: () => (env().backup?.proveEveryMs ?? 0) > 0, run: runProofs },
  { name: "index-events", run: polling(SEARCH_REST_MS, afterReceivers(workSearchIndex)) },
  {
    name: "count-events",
    run: polling(
      COUNT_REST_MS,
      afterReceivers(() => countHours()),
    ),
  },
  { name: "refresh-connections", run: refreshConnections },
  { name: "revoke-tokens", run: every(REVOKE_MS, () => revokeWaiting()) },
  { name: "watch-missing-events", run: every(WATCH_MS, () => detectMissingEvents()) },
  { name: "watch-alerts", run: every(WATCH_ALERTS_MS, () => watchAlerts()) },
  { name: "send-alerts", run: every(SEND_ALERTS_MS, (signal) => sendAlerts(signal)) },
  { name: "heartbeat-url", isOn: () => env().HEARTBEAT_URL !== undefined, run: every(HEARTBEAT_MS, sendHeartbeat) },
  { name: "fetch-for-senders", run: every(FETCH_MS, (signal) => fetchForSenders(signal)) },
  { name: "sandbox-sender", isOn: () => env().sandboxOn, run: runSandbox },
];

/** Looks at the clock first: the heartbeat writes over what shows that it was set back, once times are right. */
export async function beat(): Promise<void> {
  const aheadSeconds = await putTimesRight();
  await markAlive(newestKnownMigration(), aheadSeconds);
}

/** Refreshes connections without a watch on the rounds: one that can't store its tokens yet must not be ended for that. */
function refreshConnections(signal: AbortSignal): Promise<void> {
  return every(REFRESH_ROUND_MS, () => refreshDueConnections(signal))(signal);
}

/** Loads the sandbox's sender only where it is on: it is no part of a real installation. */
async function runSandbox(signal: AbortSignal): Promise<void> {
  const { runSandboxSender } = await import("#lib/sandbox/webhooks/sender");
  await Promise.all([introduceSandboxes(signal), runSandboxSender(signal, () => new Date())]);
}

const LOOK_MS = 1000;

/** Gives each workspace's sandbox platform the source and its newest secret, unless one was set. Repeats, for new workspaces. */
export async function introduceSandboxes(signal: AbortSignal): Promise<void> {
  const introduced = new Map<string, string>();
  while (!signal.aborted) {
    for (const source of await listMainSources(env().WEBHOOK_SOURCE)) {
      if (introduced.get(source.workspaceId) !== source.name && (await introduceSandbox(source)))
        introduced.set(source.workspaceId, source.name);
      if (isFirst(source)) await adoptOwnerless(source.workspaceId);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** True for the environment's source. Its workspace is the first, which owns whatever names no workspace. */
const isFirst = ({ name }: MainSource): boolean => name === env().WEBHOOK_SOURCE;

/** Returns false while the source has no secret to give to its platform. */
async function introduceSandbox(source: MainSource): Promise<boolean> {
  const valid = await readValidSecrets(source.name);
  if (!valid) return false;
  await savePlatform(source.workspaceId, source.name);
  const { WEBHOOK_SECRET } = env();
  const isGiven = isFirst(source) && WEBHOOK_SECRET !== undefined && valid.includes(WEBHOOK_SECRET);
  if (!isGiven) await saveFirstSigningSecret(source.workspaceId, valid[0]);
  return true;
}

/** Returns the opened secrets that verify now, newest first, for the sandbox platform alone. Null without a source or a secret. */
async function readValidSecrets(sourceName: string): Promise<[string, ...string[]] | null> {
  const source = await readSource(pool("receiver"), sourceName);
  const [newest, ...others] = source?.secrets.map(({ value }) => value) ?? [];
  return newest === undefined ? null : [newest, ...others];
}
