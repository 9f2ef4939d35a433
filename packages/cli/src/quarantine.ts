import { printable } from "../../../lib/contracts/api/plain-text.ts";
import type { QuarantineDetail, QuarantineItem } from "../../../lib/contracts/quarantine.ts";
import type { Session } from "./commands/session.ts";
import { pagesOf, readLimit } from "./events.ts";
import type { Column, Paint } from "./terminal.ts";
import { localTime } from "./time.ts";

export async function listQuarantine({ output, api }: Session, { limit, ...filter }: { source?: string; limit: string }): Promise<void> {
  let shown = 0;
  for await (const page of pagesOf<QuarantineItem>(api(), "/api/v1/quarantine", filter, readLimit(limit))) {
    output.table(page, COLUMNS, ({ id }) => id);
    shown += page.length;
  }
  if (shown === 0) output.note("Nothing is quarantined.");
}

export async function explainQuarantined({ output, api, target }: Session, id: string): Promise<void> {
  const request = await api().get<QuarantineDetail>(requestPath(id));
  output.item(request, (paint) => describe(request, target.url, paint), request.id);
}

export async function releaseQuarantined({ output, api }: Session, id: string): Promise<void> {
  const released = await api().post<{ eventId: string | null }>(`${requestPath(id)}/release`, {});
  output.item(released, () => `Released as event ${printable(released.eventId ?? "")}.`, released.eventId ?? id);
}

const requestPath = (id: string) => `/api/v1/quarantine/${encodeURIComponent(id)}`;

const COLUMNS: Column<QuarantineItem>[] = [
  { title: "RECEIVED", value: ({ receivedAt }) => localTime(receivedAt), color: () => "dim" },
  { title: "SOURCE", value: ({ source }) => source },
  { title: "REASON", value: ({ reason, releasedAt }) => (releasedAt ? "released" : reason) },
  { title: "ID", value: ({ id }) => id },
  { title: "VERDICT", value: ({ verdict }) => verdict },
];

function describe(request: QuarantineDetail, url: string, paint: Paint): string {
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
