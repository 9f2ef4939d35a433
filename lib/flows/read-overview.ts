import { listConnections } from "#lib/connections/connection-store";
import type { Connection } from "#lib/contracts/connections";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Overview } from "#lib/contracts/overview";
import { measureLatency } from "#lib/deliveries/attempt-store";
import { countDeadLetters } from "#lib/deliveries/dead-letter-store";
import { measureInbox } from "#lib/deliveries/inbox-store";
import { countOpenIssues } from "#lib/deliveries/issue-store";
import { countEventsSince, countPerMinute, hasEvents } from "#lib/events/log-statistics-store";
import { countQuarantinedSince } from "#lib/events/quarantine-store";
import { countOpenFindings } from "#lib/findings/finding-store";
import { findLastHeartbeat } from "#lib/queue/heartbeat-store";
import { readIssues } from "./read-issues.ts";
import { WORKER_SILENT_MS } from "./read-readiness.ts";

/** Deliveries that wait longer than this are worth a word. Milliseconds. */
const LAG_MS = 60_000;
const DAY_MS = 86_400_000;

/** Is all well, and if not, what first? Counts are of the last 24 hours. */
export async function readOverview(workspaceId: WorkspaceId, now: Date): Promise<Overview> {
  const since = new Date(now.getTime() - DAY_MS);
  const [
    eventsToday,
    inbox,
    failures,
    openIssues,
    newestIssues,
    refusedToday,
    latency,
    perMinute,
    workerSeenAt,
    connections,
    firstEvent,
    findings,
  ] = await Promise.all([
    countEventsSince(workspaceId, since),
    measureInbox(workspaceId),
    countDeadLetters(workspaceId),
    countOpenIssues(workspaceId),
    readIssues(workspaceId, { state: ["open"] }, { limit: 3 }, now),
    countQuarantinedSince(workspaceId, since),
    measureLatency(workspaceId),
    countPerMinute(workspaceId, 60),
    findLastHeartbeat(),
    listConnections(workspaceId, now),
    hasEvents(workspaceId),
    countOpenFindings(workspaceId),
  ]);
  const workerSilent = workerSeenAt === null || now.getTime() - workerSeenAt.getTime() > WORKER_SILENT_MS;
  const lagMs = inbox.oldestReceivedAt && Math.max(0, now.getTime() - inbox.oldestReceivedAt.getTime());
  const facts: Facts = {
    eventsToday,
    pending: inbox.pending,
    failures,
    openIssues,
    refusedToday,
    findings,
    workerSilent,
    lagging: lagMs !== null && lagMs > LAG_MS,
    connections,
    firstEvent,
  };
  return {
    verdict: verdictOf(facts),
    eventsToday,
    pending: inbox.pending,
    failures,
    openIssues,
    newestIssues: newestIssues.data,
    refusedToday,
    findings,
    latency,
    lagMs,
    perMinute,
    workerSeenAt: workerSeenAt?.toISOString() ?? null,
    connections,
    setup: { connected: connections.some(({ connectedAt }) => connectedAt !== null), firstEvent },
  };
}

/** What the verdict rests on. */
export type Facts = Pick<Overview, "eventsToday" | "pending" | "failures" | "openIssues" | "refusedToday" | "findings" | "connections"> & {
  workerSilent: boolean;
  lagging: boolean;
  firstEvent: boolean;
};

type Verdict = Overview["verdict"];

/** The worst thing first, with its button; or that all is well. */
export function verdictOf(facts: Facts): Verdict {
  const broken = facts.connections.find(({ state }) => state === "needs_reauthorization");
  const shaky = facts.connections.find(({ state }) => state === "retrying");
  if (facts.workerSilent)
    return failed("The worker has stopped: events are stored but not applied.", "See what waits", "/events?status=pending");
  if (facts.openIssues.processing > 0)
    return failed(`${count(facts.failures, "event")} could not be applied.`, "See failures", "/failures");
  if (broken) return failed(`${broken.name} needs to be connected again.`, "Reconnect", `/connections/${broken.id}`);
  if (facts.lagging)
    return attention(
      `${count(facts.pending, "event")} wait longer than a minute to be applied.`,
      "See what waits",
      "/events?status=pending",
    );
  if (shaky)
    return attention(`${shaky.name} can't renew its access just now; it is tried again.`, "See the connection", `/connections/${shaky.id}`);
  if (facts.openIssues.platform > 0)
    return attention(
      `The platform reports ${count(facts.openIssues.platform, "kind")} of failure that nobody looks after.`,
      "See failures",
      "/failures?origin=platform",
    );
  if (facts.refusedToday > 0)
    return attention(`${count(facts.refusedToday, "request")} refused in the last 24 hours.`, "See why", "/refused");
  if (facts.findings > 0)
    return attention(`${count(facts.findings, "thing")} that should have come never did, it seems.`, "See what is missing", "/findings");
  return { level: "fine", sentence: allWell(facts), action: null };
}

function allWell({ connections, eventsToday, failures, firstEvent }: Facts): string {
  const healthy = connections.filter(({ state }: Connection) => state === "connected" || state === "expiring").length;
  if (!firstEvent) return healthy === 0 ? "Nothing is connected yet." : "Connected, and waiting for the first event.";
  const events = `${count(eventsToday, "event")} in the last 24 hours, ${failures === 0 ? "none failed" : `${count(failures, "failure")} looked after`}`;
  return healthy === 0 ? `${events}. Nothing is connected yet.` : `All well: ${count(healthy, "connection")} healthy, ${events}.`;
}

const failed = (sentence: string, label: string, href: string): Verdict => ({ level: "failed", sentence, action: { label, href } });
const attention = (sentence: string, label: string, href: string): Verdict => ({ level: "attention", sentence, action: { label, href } });

/** Counts are capped where they are read: at 1,001, events of the day at 100,001. */
function count(n: number, noun: string): string {
  const cap = noun === "event" ? 100_000 : 1000;
  return `${n > cap ? `more than ${cap.toLocaleString("en")}` : n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
