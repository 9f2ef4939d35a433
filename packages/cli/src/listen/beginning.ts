import { formatNumber, nounFor } from "../../../../lib/contracts/counts/format-count.ts";
import type { WaitingEvents } from "../../../../lib/contracts/events/listeners.ts";
import type { Api, Query } from "../api/client.ts";
import type { Session } from "../commands/session.ts";
import type { ListenOptions } from "../deliver/options.ts";
import { ask } from "../output/ask.ts";
import { parseDuration } from "../output/time.ts";
import { type CursorFile, sinceWords } from "./cursor-file.ts";

/** Returns where to start: `--since`, or where the last run stopped (missed events are sent or skipped), or now. */
export async function findBeginning(
  { output }: Session,
  api: Api,
  cursorFile: CursorFile,
  { type, source, filter: payload, since, catchUp }: ListenOptions,
): Promise<{ cursor: string | null; query: Query }> {
  const filter: Query = { type, source };
  const kept = cursorFile.read();
  const place = since === undefined ? { from: kept?.cursor } : { since: new Date(Date.now() - parseDuration(since)).toISOString() };
  if (!kept && since === undefined) {
    const { cursor } = await api.get<WaitingEvents>("/api/v1/listeners/waiting", filter);
    // Saved at once: events before the stream opens are not missed either.
    cursorFile.save(cursor);
    return { cursor, query: filter };
  }
  const { count, more, cursor: end } = await api.get<WaitingEvents>("/api/v1/listeners/waiting", { ...filter, ...place });
  const words = `${formatNumber(count)}${more ? " or more" : ""} ${nounFor(count, "event")}${payload === undefined ? "" : " (before --filter)"}`;
  const choice = catchUp ?? (since === undefined && count > 0 ? await askWhatToDo(words, kept?.savedAt) : "send");
  if (choice === "skip") {
    if (count > 0) output.note(`Skipped ${words}.`);
    cursorFile.save(end);
    return { cursor: end, query: filter };
  }
  if (count > 0)
    output.note(
      `Sending ${words} received ${since === undefined ? `since this command stopped ${sinceWords(kept?.savedAt ?? "")} ago` : `in the last ${since}`}.`,
    );
  return since === undefined ? { cursor: kept?.cursor ?? null, query: filter } : { cursor: null, query: { ...filter, ...place } };
}

async function askWhatToDo(words: string, savedAt: string | undefined): Promise<"send" | "skip"> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return "send";
  for (let question = `${words} received since this command stopped ${sinceWords(savedAt ?? "")} ago. Send or skip? [send] `; ; ) {
    const answer = (await ask(question)).toLowerCase();
    if (/^(s|se|sen|send|y|yes|)$/.test(answer)) return "send";
    if (/^(sk|ski|skip|n|no)$/.test(answer)) return "skip";
    question = "Type send or skip: ";
  }
}
