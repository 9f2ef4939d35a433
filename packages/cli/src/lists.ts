import { printable } from "../../../lib/contracts/api/plain-text.ts";
import { cappedNumber, nounFor } from "../../../lib/contracts/format-count.ts";
import type { Issue, RootCause } from "../../../lib/contracts/issues.ts";
import type { QuarantineDetail, QuarantineItem } from "../../../lib/contracts/quarantine.ts";
import type { Source } from "../../../lib/contracts/sources/sources.ts";
import type { Api } from "./api-client.ts";
import type { Session } from "./commands/session.ts";
import { pagesOf, readLimit } from "./events.ts";
import { CliError } from "./exit.ts";
import type { Column, Paint } from "./terminal.ts";
import { localTime } from "./time.ts";

export async function listIssues(
  { output, api }: Session,
  { limit, ...filter }: { state?: string[]; origin?: string; source?: string; assignee?: string; limit: string },
): Promise<void> {
  let shown = 0;
  for await (const page of pagesOf<Issue>(api(), "/api/v1/issues", filter, readLimit(limit))) {
    output.table(page, ISSUE_COLUMNS, ({ id }) => id);
    shown += page.length;
  }
  if (shown === 0) output.note("No issue matches.");
}

export async function listCauses({ output, api }: Session): Promise<void> {
  const { data } = await api().get<{ data: RootCause[] }>("/api/v1/issues/causes");
  output.table(data, CAUSE_COLUMNS, ({ id }) => id);
  if (data.length === 0) output.note("No open issues share a cause.");
}

export async function showIssue({ output, api, target }: Session, id: string): Promise<void> {
  const issue = await api().get<Issue>(issuePath(id));
  output.item(issue, (paint) => describeIssue(issue, target.url, paint), issue.id);
}

export async function changeIssue({ output, api }: Session, id: string, action: string): Promise<void> {
  const issue = await api().post<Issue>(`${issuePath(id)}/state`, { action });
  output.item(issue, () => `${printable(issue.title)} is ${issue.state} now.`);
}

const issuePath = (id: string) => `/api/v1/issues/${encodeURIComponent(id)}`;

const ISSUE_COLUMNS: Column<Issue>[] = [
  { title: "LAST", value: ({ lastSeenAt }) => localTime(lastSeenAt), color: () => "dim" },
  { title: "STATE", value: ({ state }) => state, color: ({ state }) => (state === "open" ? "red" : undefined) },
  { title: "EVENTS", value: ({ count }) => cappedNumber(count) },
  { title: "ID", value: ({ id }) => id },
  { title: "WHAT", value: whatOf },
];

/** The words of most failures name what failed; the title stands before those that don't. */
export function whatOf({ title, type, place, failure: { what } }: Pick<Issue, "title" | "type" | "place" | "failure">): string {
  const named = what.includes(title) || what.includes(type);
  return `${named ? what : `${title}: ${what}`}${place ? ` (${place})` : ""}`;
}

const CAUSE_COLUMNS: Column<RootCause>[] = [
  { title: "BEGAN", value: ({ beganAt }) => localTime(beganAt), color: () => "dim" },
  { title: "EVENTS", value: ({ failing }) => String(failing) },
  { title: "SOURCE", value: ({ source }) => source.name },
  { title: "WHAT", value: ({ title, fields }) => `${title}${fields.length > 0 ? `: ${fields.map(({ label }) => label).join(", ")}` : ""}` },
];

function describeIssue(issue: Issue, url: string, paint: Paint): string {
  const facts: [string, string][] = [
    ["Issue", issue.id],
    ["Type", `${issue.type}${issue.place ? `, ${issue.place}` : ""}`],
    ["State", `${issue.state}${issue.stateBy ? `, by ${issue.stateBy}` : ""}`],
    ["What", issue.failure.what],
    ["Why", issue.failure.why],
    ["Fix", issue.failure.fix],
    ["Seen", `${seenWords(issue)}, ${localTime(issue.firstSeenAt)} to ${localTime(issue.lastSeenAt)}; ${failingWords(issue)}`],
    ["Example", issue.sampleEventId],
    ["Page", `${url}/issues/${encodeURIComponent(issue.id)}`],
  ];
  return facts.map(([label, value]) => `${paint("dim", label.padEnd(9))}${printable(value)}`).join("\n");
}

/** A suspension's events are those at which it was suspended; its destination counts what it holds back. */
const isSuspension = ({ code }: Issue): boolean => code === "destination_suspended";

function seenWords(issue: Issue): string {
  const { count } = issue;
  if (!isSuspension(issue)) return `${cappedNumber(count)} ${nounFor(count, "event")}`;
  return count === 1 ? "suspended once" : `suspended ${cappedNumber(count)} times`;
}

const failingWords = (issue: Issue): string =>
  isSuspension(issue) ? (issue.failing > 0 ? "suspended now" : "not suspended now") : `${cappedNumber(issue.failing)} failed now`;

export async function listQuarantine({ output, api }: Session, { limit, ...filter }: { source?: string; limit: string }): Promise<void> {
  let shown = 0;
  for await (const page of pagesOf<QuarantineItem>(api(), "/api/v1/quarantine", filter, readLimit(limit))) {
    output.table(page, REQUEST_COLUMNS, ({ id }) => id);
    shown += page.length;
  }
  if (shown === 0) output.note("Nothing is quarantined.");
}

export async function explainQuarantined({ output, api, target }: Session, id: string): Promise<void> {
  const request = await api().get<QuarantineDetail>(requestPath(id));
  output.item(request, (paint) => describeRequest(request, target.url, paint), request.id);
}

export async function releaseQuarantined({ output, api }: Session, id: string): Promise<void> {
  const released = await api().post<{ eventId: string | null }>(`${requestPath(id)}/release`, {});
  output.item(released, () => `Released as event ${printable(released.eventId ?? "")}.`, released.eventId ?? id);
}

const requestPath = (id: string) => `/api/v1/quarantine/${encodeURIComponent(id)}`;

const REQUEST_COLUMNS: Column<QuarantineItem>[] = [
  { title: "RECEIVED", value: ({ receivedAt }) => localTime(receivedAt), color: () => "dim" },
  { title: "SOURCE", value: ({ source }) => source },
  { title: "REASON", value: ({ reason, releasedAt }) => (releasedAt ? "released" : reason) },
  { title: "ID", value: ({ id }) => id },
  { title: "VERDICT", value: ({ verdict }) => verdict },
];

function describeRequest(request: QuarantineDetail, url: string, paint: Paint): string {
  const evidence = request.diagnosis?.evidence ?? [];
  const facts: [string, string][] = [
    ["Request", request.id],
    ["Received", `${localTime(request.receivedAt)} by source ${request.source}, from ${request.ip ?? "an unknown IP address"}`],
    ["Verdict", request.verdict],
    ["Fix", request.fix],
    ...evidence.map(({ label, value }): [string, string] => [label, value]),
    ["Page", `${url}/quarantine/${encodeURIComponent(request.id)}`],
  ];
  if (request.releasedAt) facts.push(["Released", localTime(request.releasedAt)]);
  else if (request.diagnosis?.verifiesNow) facts.push(["Now", `It verifies: signalbox quarantine release ${request.id}`]);
  const width = Math.max(...facts.map(([label]) => label.length)) + 2;
  return facts.map(([label, value]) => `${paint("dim", printable(label).padEnd(width))}${printable(value)}`).join("\n");
}

export async function listSources({ output, api }: Session): Promise<void> {
  const { data } = await api().get<{ data: Source[] }>("/api/v1/sources");
  output.table(data, SOURCE_COLUMNS, ({ name }) => name);
}

/** @throws CliError for a name that no source has */
export async function findSource(api: Api, name: string): Promise<Source> {
  const { data } = await api.get<{ data: Source[] }>("/api/v1/sources");
  const found = data.find((source) => source.name === name);
  if (!found) throw new CliError(`There is no source named ${name}.`, { hint: "signalbox sources ls lists them." });
  return found;
}

export async function pauseSource({ output, api }: Session, name: string, paused: boolean): Promise<void> {
  const { id } = await findSource(api(), name);
  const source = await api().patch<Source>(`/api/v1/sources/${encodeURIComponent(id)}`, { paused });
  output.item(source, () => `${source.name} is ${stateOf(source)} now.`, source.name);
}

const stateOf = ({ archivedAt, pausedAt }: Source) => (archivedAt !== null ? "archived" : pausedAt !== null ? "paused" : "receiving");

const SOURCE_COLUMNS: Column<Source>[] = [
  { title: "NAME", value: ({ name }) => name },
  { title: "SENDER", value: ({ sender }) => sender },
  {
    title: "STATE",
    value: (source) => `${stateOf(source)}${source.held > 0 ? `, ${source.held > 1000 ? "1000+" : source.held} held` : ""}`,
  },
  { title: "LAST", value: ({ lastEventAt }) => (lastEventAt === null ? "" : localTime(lastEventAt)), color: () => "dim" },
  { title: "URL", value: ({ url }) => url },
];
