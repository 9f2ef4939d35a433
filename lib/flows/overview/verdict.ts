import { durationWords } from "#lib/alerts/message";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Connection } from "#lib/contracts/connections";
import { COUNT_CAP, cappedWords, countWords } from "#lib/contracts/format-count";
import type { DestinationState } from "#lib/contracts/forwarding/destinations";
import type { Condition, Overview } from "#lib/contracts/overview";
import type { RecentOutage } from "#lib/flows/outages/outages";
import { listRebuilds } from "#lib/flows/views/rebuild-views";
import type { QuarantineSuspicion, Suspects } from "#lib/quarantine/quarantine-store";
import { isOutdated } from "#lib/views/base-store";

export type Facts = Pick<Overview, "eventsToday" | "pending" | "failures" | "openIssues" | "missingEvents" | "connections"> & {
  failingEvents: number;
  /** `largest`: what most of the likely real requests have in common, in words after "12 requests". */
  quarantine: Pick<QuarantineSuspicion, "genuine" | "signed"> & { largest: (Suspects & { words: string }) | null };
  workerSilent: boolean;
  /** Why the database refuses connections to a worker or a web process; null while it does not. */
  refused: string | null;
  lagging: boolean;
  firstEvent: boolean;
  backup: Omit<Overview["backup"], "scheduled">;
  outage: RecentOutage;
  destinations: { id: string; name: string; state: DestinationState }[];
  exhausted: { destinationId: string; failing: number }[];
  silentSources: string[];
  /** `held`: at most 1,001 requests. */
  pausedSources: { name: string; held: number }[];
  records: RecordState | null;
  failingChannels: { id: string; name: string }[];
};

export function verdictOf(facts: Facts): Overview["verdict"] {
  return conditionsOf(facts)[0] ?? { level: "fine", sentence: allWell(facts), action: null };
}

/** Lists every condition that needs a person, the worst first. */
export const conditionsOf = (facts: Facts): Condition[] => [
  ...workerConditions(facts),
  ...facts.connections.filter(({ state }) => state === "needs_reauthorization").map(reconnect),
  ...failureConditions(facts),
  ...facts.destinations.filter(({ state }) => state === "suspended").map(suspended),
  ...exhaustedConditions(facts),
  ...facts.failingChannels.map(failingChannel),
  ...outageConditions(facts),
  ...lagConditions(facts),
  ...backupConditions(facts),
  ...recordConditions(facts),
  ...facts.connections.filter(({ state }) => state === "retrying").map(retrying),
  ...issueConditions(facts),
  ...quarantineConditions(facts),
  ...facts.silentSources.map(silent),
  ...facts.pausedSources.map(paused),
  ...missingConditions(facts),
];

function workerConditions({ workerSilent, refused }: Facts): Condition[] {
  const pending = ["View pending events", "/events?state=pending"] as const;
  if (workerSilent) return [failed("The worker has stopped: events are stored but not applied.", ...pending)];
  if (refused === null) return [];
  return [failed(`The database refuses connections (${refused}): events may be stored but not applied.`, ...pending)];
}

const reconnect = ({ id, name }: Connection) => failed(`${name} needs to be reconnected.`, "Reconnect", `/connections/${id}`);

const retrying = ({ id, name }: Connection) =>
  attention(`${name} couldn't renew its access; retrying automatically.`, "View connection", `/connections/${id}`);

const failureConditions = ({ failingEvents }: Facts) =>
  failingEvents > 0 ? [failed(`${count(failingEvents, "event")} could not be applied.`, "View issues", "/issues?origin=processing")] : [];

const suspended = ({ id, name }: Facts["destinations"][number]) =>
  failed(`Nothing reaches ${name}: the destination is suspended.`, "View destination", `/destinations/${id}`);

const exhaustedConditions = ({ destinations, exhausted }: Facts) =>
  exhausted.flatMap(({ destinationId, failing }) => {
    const name = destinations.find(({ id }) => id === destinationId)?.name;
    return name === undefined || failing === 0
      ? []
      : [
          failed(
            `${count(failing, "event")} did not reach ${name} and won't be tried again.`,
            "View exhausted deliveries",
            `/destinations/${destinationId}?state=exhausted`,
          ),
        ];
  });

const failingChannel = ({ name }: Facts["failingChannels"][number]) =>
  failed(`Alerts can't be delivered over ${name}.`, "View channels", "/settings/alerts");

function outageConditions({ outage: { unavailable, awayMs } }: Facts): Condition[] {
  const away = `Signalbox was down for ${durationWords(awayMs)}`;
  if (unavailable === 0 && awayMs === 0) return [];
  const words =
    unavailable === 0
      ? `${away} in the last 24 hours: webhooks may have been lost.`
      : `${count(unavailable, "request")} ${unavailable === 1 ? "was" : "were"} answered 503 and not stored in the last 24 hours${awayMs === 0 ? "" : `, and ${away}`}: webhooks may have been lost.`;
  return [attention(words, "View outages", "/settings/outages")];
}

const lagConditions = ({ lagging, pending }: Facts) =>
  lagging
    ? [attention(`${count(pending, "event")} pending, the oldest for more than a minute.`, "View pending events", "/events?state=pending")]
    : [];

/** Has no button: only owners and admins may open the page. */
function backupConditions({ backup: { overdue, lastGoodAt, storeOverdue, missing, proofFailed } }: Facts): Condition[] {
  const late = lastGoodAt === null ? "There is no backup yet" : "The last good backup is older than scheduled";
  return [
    ...(overdue ? [late] : storeOverdue ? ["Backups are made, but are not reaching the store"] : []),
    ...(missing > 0 ? [`${count(missing, "backup")} can no longer be found in the folder`] : []),
    ...(proofFailed ? ["The latest test restore of a stored backup failed"] : []),
  ].map((words) => ({ level: "attention", sentence: `${words}. Owners and admins can see why in Settings > Backups.`, action: null }));
}

function recordConditions({ records }: Facts): Condition[] {
  if (records === null) return [];
  const words = {
    waiting: "After an update, records are rebuilt in the background: this starts within minutes. Until then some may be out of date.",
    running: `After an update, records are being rebuilt in the background: ${records.percent}% done. Until then some may be out of date.`,
    failed:
      "After an update, some records are out of date: their rebuild failed and is tried again within an hour. Owners and admins can see why in Settings > Records.",
    stopped:
      "After an update, some records are out of date: their rebuild was stopped. Owners and admins can start it again in Settings > Records.",
  };
  return [{ level: "attention", sentence: words[records.rebuild], action: null }];
}

function issueConditions({ openIssues, failingEvents }: Facts): Condition[] {
  const { processing, platform } = openIssues;
  const conditions: Condition[] = [];
  if (processing > 0 && failingEvents === 0) {
    const words = `${count(processing, "open issue")} without failing events.`;
    conditions.push(attention(words, "View issues", "/issues?origin=processing"));
  }
  if (platform > 0)
    conditions.push(attention(`The platform reports ${count(platform, "open issue")}.`, "View issues", "/issues?origin=platform"));
  return conditions;
}

/** Fewer invalid signatures a day, or a smaller share of all requests, are a scanner's. */
const NOTABLE_SIGNED = 10;
const NOTABLE_SHARE = 0.1;

/** Reports likely real requests, by what most have in common if known, or a notable rate of invalid signatures; others never come up. */
function quarantineConditions({ quarantine: { genuine, signed, largest }, eventsToday }: Facts): Condition[] {
  const n = signed.count;
  const notable = n >= NOTABLE_SIGNED && (n > COUNT_CAP || n / (n + genuine.count + eventsToday) >= NOTABLE_SHARE);
  if (largest !== null) return [quarantined(largest, `${countWords(largest.count, "request")} ${largest.words} ${areIn(largest)}`)];
  if (genuine.count > 0) {
    const are = genuine.count === 1 ? "is" : "are";
    return [quarantined(genuine, `${count(genuine.count, "quarantined request")} ${are} likely from a real sender, by signature or body.`)];
  }
  return notable ? [quarantined(signed, `${count(n, "request")} with an invalid signature in the last 24 hours.`)] : [];
}

const areIn = ({ count: n }: Suspects) => `${n === 1 ? "is" : "are"} in quarantine.`;

function quarantined({ sources }: Suspects, words: string): Condition {
  const [only] = sources;
  const one = only !== undefined && sources.length === 1;
  const named = `${one ? only : countWords(sources.length, "source")}: ${words}`;
  return attention(named, "View quarantine", one ? `/quarantine?source=${encodeURIComponent(only)}` : "/quarantine");
}

const silent = (name: string) =>
  attention(`${name} has sent nothing for much longer than usual.`, "View silent source", "/missing-events?rule=source_silent");

const paused = ({ name, held }: Facts["pausedSources"][number]) =>
  attention(
    held === 0
      ? `${name} is paused: what it receives is held.`
      : `${name} is paused: ${count(held, "request")} ${held === 1 ? "is" : "are"} held.`,
    "View source",
    `/settings/sources#source-${name}`,
  );

/** Leaves out silent sources, which are missing events with a line of their own. */
const missingConditions = ({ missingEvents, silentSources }: Facts) =>
  missingEvents > silentSources.length
    ? [
        attention(
          `${count(missingEvents - silentSources.length, "expected event")} not received.`,
          "View missing events",
          "/missing-events",
        ),
      ]
    : [];

function allWell({ connections, destinations, eventsToday, failures, firstEvent }: Facts): string {
  const healthy = connections.filter(({ state }) => state === "connected" || state === "expiring").length;
  if (!firstEvent) return healthy === 0 ? "Nothing is connected yet." : "Connected. Waiting for the first event.";
  const events = `${count(eventsToday, "event")} in the last 24 hours, ${failures === 0 ? "none failed" : `${count(failures, "failure")} acknowledged`}`;
  if (healthy === 0) return `${events}. Nothing is connected yet.`;
  const receiving = destinations.filter(({ state }) => state === "active").length;
  const paused = destinations.length - receiving;
  const handedOn =
    destinations.length === 0 ? "" : `${count(receiving, "destination")} receiving${paused > 0 ? ` (${paused} paused)` : ""}, `;
  return `All systems normal: ${count(healthy, "connection")} healthy, ${handedOn}${events}.`;
}

/** Capitalizes a capped count only: a source's name begins as it is written. */
const ofLevel =
  (level: Condition["level"]) =>
  (words: string, label: string, href: string): Condition => ({
    level,
    sentence: words.replace(/^more than /, "More than "),
    action: { label, href },
  });
const failed = ofLevel("failed");
const attention = ofLevel("attention");

/** Words a count that was capped where it was read: at 1,001, events of the day at 100,001. */
const count = (n: number, noun: string): string => cappedWords(n, noun, noun === "event" ? 100_000 : COUNT_CAP);

/** `waiting` also before a rebuild is requested: a worker does so within five minutes. */
export type RecordState = { rebuild: "waiting" | "running" | "failed" | "stopped"; percent: number };

const WAITING: RecordState = { rebuild: "waiting", percent: 0 };

/** Returns null where this version has made the records. */
export async function readRecordState(workspaceId: WorkspaceId): Promise<RecordState | null> {
  if (!(await isOutdated(workspaceId))) return null;
  const last = (await listRebuilds(workspaceId)).find(({ dryRun }) => !dryRun);
  if (!last || last.state === "done" || last.state === "queued") return WAITING;
  // Stopped by a restore.
  if (last.state === "stopped" && last.failure !== null) return WAITING;
  // Comparing follows when all is replayed.
  return { rebuild: last.state, percent: last.total === 0 ? 0 : Math.min(99, Math.floor((100 * last.done) / last.total)) };
}
