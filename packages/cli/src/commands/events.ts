import { type Command, Option } from "commander";
import {
  EVENT_FILTER_NAMES,
  EVENT_FILTERS,
  type EventFilter,
  type EventFilterName,
} from "../../../../lib/contracts/events/event-filters.ts";
import { collect, sessionOf } from "./session.ts";

/** Filters that a frame of the feed can be matched with. */
const LIVE: readonly EventFilterName[] = ["type", "source", "resource"];

/** Adds a flag for each of the API's event filters. */
export function addFilters(command: Command, names: readonly EventFilterName[] = EVENT_FILTER_NAMES): Command {
  for (const name of names) {
    const { value, label } = EVENT_FILTERS[name];
    const repeats = value.kind === "texts" || value.kind === "choices";
    const option = new Option(`--${name} <${value.kind === "moment" ? "time" : "value"}>`, WORDS[name] ?? label);
    if (repeats) option.argParser(collect);
    if (value.kind === "choice") option.choices(value.values);
    command.addOption(option);
  }
  return command;
}

const WORDS: Partial<Record<EventFilterName, string>> = {
  type: "of this type; can be repeated",
  state: "pending, processed, failed or unrecognised; can be repeated",
  resource: "about this resource: doc_1 or document:doc_1",
  connection: "of the connection with this ID",
  source: "of this source",
  duplicates: "received more than once",
  ip: "received from this IP address or network",
  issue: "that have failed with this issue (ID); can be repeated",
  period: "received in the last hours or days",
  q: "search in payload and IDs, e.g. data.status:failed",
  from: "received at or after this time (2026-01-31T12:00:00Z)",
  to: "received before this time",
};

export const filtersOf = (options: Record<string, unknown>): EventFilter =>
  Object.fromEntries(EVENT_FILTER_NAMES.filter((name) => options[name] !== undefined).map((name) => [name, options[name]])) as EventFilter;

export function defineEvents(program: Command): void {
  const events = program.command("events").description("Read the event log");
  addFilters(events.command("ls").description("List events, newest first"))
    .option("--limit <n>", "maximum number of results (default: 50; 0 for all)", "50")
    .addHelpText(
      "after",
      "\nExamples:\n  $ signalbox events ls --type document.error --period 24h\n  $ signalbox events ls --q data.status:failed --output quiet",
    )
    .action(async (options: Record<string, unknown>, command: Command) => {
      const { listEvents } = await import("../events/list.ts");
      await listEvents(sessionOf(command), filtersOf(options), String(options.limit));
    });
  events
    .command("get")
    .argument("<id>", "the event's ID")
    .description("Show one event: payload, headers, attempts and effects")
    .option("--raw", "print only its body, to the byte as it was signed")
    .addHelpText("after", "\nExamples:\n  $ signalbox events get evt_123\n  $ signalbox events get evt_123 --raw | jq .data")
    .action(async (id: string, options: { raw?: boolean }, command: Command) => {
      const { showEvent } = await import("../events/show.ts");
      await showEvent(sessionOf(command), id, options.raw === true);
    });
  addFilters(events.command("tail").description("Print events as they are received, until Ctrl-C"), LIVE)
    .option("--max-offline <duration>", "exit with code 3 after this long without a connection to Signalbox (default: never)")
    .addHelpText(
      "after",
      "\nExamples:\n  $ signalbox events tail --type document.error\n  $ signalbox events tail --output ndjson >> events.ndjson",
    )
    .action(async (options: Record<string, unknown>, command: Command) => {
      const { tailEvents } = await import("../events/tail.ts");
      await tailEvents(sessionOf(command), filtersOf(options), options.maxOffline as string | undefined);
    });
}
