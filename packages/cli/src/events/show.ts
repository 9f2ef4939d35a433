import { printable, printableLines } from "../../../../lib/contracts/api/plain-text.ts";
import type { EventDetail } from "../../../../lib/contracts/events/events.ts";
import { writeJson } from "../../../../lib/contracts/json/exact-json.ts";
import type { Session } from "../commands/session.ts";
import type { Paint } from "../output/color.ts";
import { localTime } from "../output/time.ts";

export async function showEvent({ output, api: open, target }: Session, id: string, raw: boolean): Promise<void> {
  const event = await open().get<EventDetail>(`/api/v1/events/${encodeURIComponent(id)}`);
  if (raw) process.stdout.write(bodyOf(event));
  else output.item(event, (paint) => describe(event, target.url, paint), event.id);
}

export const bodyOf = ({ raw, rawBase64 }: { raw: string | null; rawBase64: string | null }): Buffer =>
  raw === null ? Buffer.from(rawBase64 ?? "", "base64") : Buffer.from(raw, "utf8");

function describe(event: EventDetail, url: string, paint: Paint): string {
  const facts: [string, string][] = [
    ["Event", event.id],
    ["Type", `${event.type} (${event.title})`],
    ["State", event.failure ? `${event.state}: ${event.failure.what} ${event.failure.why} ${event.failure.fix}` : event.state],
    ["Source", event.source],
    ["Created", localTime(event.created)],
    ["Received", `${localTime(event.receivedAt)}${event.repeats > 0 ? `, and ${event.repeats} times more` : ""}`],
    ["Resources", event.resources.map(({ kind, id }) => `${kind}:${id}`).join(", ")],
    ["Page", `${url}/events/${encodeURIComponent(event.id)}`],
  ];
  const effects = event.effects.map(
    ({ kind, resourceId, field, value, verdict }) => `${kind}:${resourceId} ${field} = ${writeJson(value)} (${verdict.replace("_", " ")})`,
  );
  const attempts = event.attempts.map(
    ({ number, at, outcome, failureText }) => `${number}. ${localTime(at)} ${outcome}${failureText ? `: ${failureText}` : ""}`,
  );
  return [
    ...facts.filter(([, value]) => value !== "").map(([label, value]) => `${paint("dim", label.padEnd(11))}${printable(value)}`),
    ...section("Effects", effects, paint),
    ...section("Attempts", attempts, paint),
    "",
    paint("bold", "Payload"),
    printableLines(event.envelope === null ? (event.raw ?? `${event.bytes} bytes, not UTF-8`) : writeJson(event.envelope, 2)),
  ].join("\n");
}

const section = (title: string, lines: string[], paint: Paint): string[] =>
  lines.length === 0 ? [] : ["", paint("bold", title), ...lines.map((line) => `  ${printable(line)}`)];
