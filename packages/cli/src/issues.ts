import { printable } from "../../../lib/contracts/api/plain-text.ts";
import { cappedNumber, nounFor } from "../../../lib/contracts/format-count.ts";
import type { Issue, RootCause } from "../../../lib/contracts/issues.ts";
import type { Session } from "./commands/session.ts";
import { pagesOf, readLimit } from "./events.ts";
import type { Column, Paint } from "./terminal.ts";
import { localTime } from "./time.ts";

export async function listIssues(
  { output, api }: Session,
  { limit, ...filter }: { state?: string[]; origin?: string; source?: string; assignee?: string; limit: string },
): Promise<void> {
  let shown = 0;
  for await (const page of pagesOf<Issue>(api(), "/api/v1/issues", filter, readLimit(limit))) {
    output.table(page, COLUMNS, ({ id }) => id);
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
  output.item(issue, (paint) => describe(issue, target.url, paint), issue.id);
}

export async function changeIssue({ output, api }: Session, id: string, action: string): Promise<void> {
  const issue = await api().post<Issue>(`${issuePath(id)}/state`, { action });
  output.item(issue, () => `${printable(issue.title)} is ${issue.state} now.`);
}

const issuePath = (id: string) => `/api/v1/issues/${encodeURIComponent(id)}`;

const COLUMNS: Column<Issue>[] = [
  { title: "LAST", value: ({ lastSeenAt }) => localTime(lastSeenAt), color: () => "dim" },
  { title: "STATE", value: ({ state }) => state, color: ({ state }) => (state === "open" ? "red" : undefined) },
  { title: "EVENTS", value: ({ count }) => cappedNumber(count) },
  { title: "ID", value: ({ id }) => id },
  { title: "WHAT", value: ({ title, place, failure }) => `${title}${place ? ` (${place})` : ""}: ${failure.what}` },
];

const CAUSE_COLUMNS: Column<RootCause>[] = [
  { title: "BEGAN", value: ({ beganAt }) => localTime(beganAt), color: () => "dim" },
  { title: "EVENTS", value: ({ failing }) => String(failing) },
  { title: "SOURCE", value: ({ source }) => source.name },
  { title: "WHAT", value: ({ title, fields }) => `${title}${fields.length > 0 ? `: ${fields.map(({ label }) => label).join(", ")}` : ""}` },
];

function describe(issue: Issue, url: string, paint: Paint): string {
  const facts: [string, string][] = [
    ["Issue", issue.id],
    ["Type", `${issue.type}${issue.place ? `, ${issue.place}` : ""}`],
    ["State", `${issue.state}${issue.stateBy ? `, by ${issue.stateBy}` : ""}`],
    ["What", issue.failure.what],
    ["Why", issue.failure.why],
    ["Fix", issue.failure.fix],
    [
      "Seen",
      `${cappedNumber(issue.count)} ${nounFor(issue.count, "event")}, ${localTime(issue.firstSeenAt)} to ${localTime(issue.lastSeenAt)}; ${cappedNumber(issue.failing)} failed now`,
    ],
    ["Example", issue.sampleEventId],
    ["Page", `${url}/issues/${encodeURIComponent(issue.id)}`],
  ];
  return facts.map(([label, value]) => `${paint("dim", label.padEnd(9))}${printable(value)}`).join("\n");
}
