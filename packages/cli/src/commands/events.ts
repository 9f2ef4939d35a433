import { type Command, Option } from "commander";
import {
  EVENT_FILTER_NAMES,
  EVENT_FILTERS,
  EVENT_ORDERS,
  type EventFilter,
  type EventFilterName,
} from "../../../../lib/contracts/events/event-filters.ts";
import type { ListenOptions, ReplayOptions } from "../deliver.ts";
import { collect, sessionOf } from "./session.ts";

/** Filters that a frame of the feed can be matched with. */
const LIVE: readonly EventFilterName[] = ["type", "source", "resource"];

/** Adds a flag for each of the API's event filters. */
function addFilters(command: Command, names: readonly EventFilterName[] = EVENT_FILTER_NAMES): Command {
  for (const name of names) {
    const { value, label } = EVENT_FILTERS[name];
    const repeats = value.kind === "texts" || value.kind === "choices";
    const option = new Option(`--${flagOf(name)} ${argumentOf(value.kind)}`, WORDS[name] ?? label);
    if (repeats) option.argParser(collect);
    if (value.kind === "choice") option.choices(value.values);
    command.addOption(option);
  }
  return command;
}

/** Commander gives `--occurred-from` the name `occurredFrom`. */
const flagOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A flag alone means true. */
const argumentOf = (kind: string) => (kind === "flag" ? "[true|false]" : kind === "moment" ? "<time>" : "<value>");

const WORDS: Partial<Record<EventFilterName, string>> = {
  type: "of this type, or of all that begin so: document.*; can be repeated",
  state: "pending, processed, failed or unrecognised; can be repeated",
  resource: "about this resource: doc_1 or document:doc_1",
  connection: "of the connection with this ID",
  source: "of this source",
  duplicates: "received more than once",
  ip: "received from this IP address or network",
  anyFailure: "failed at some time, or report a failure of the platform",
  everFailed: "could not be applied at some time",
  repaired: "failed at some time, and were applied since",
  reportsFailure: "report a failure of the platform, e.g. document.error",
  issue: "that have failed with this issue (ID); can be repeated",
  period: "received in the last hours or days",
  q: "search in payload and IDs, e.g. data.status:failed",
  from: "received at or after this time (2026-01-31T12:00:00Z)",
  to: "received before this time",
  occurredFrom: "occurred at or after this time, by the sender's clock",
  occurredTo: "occurred before this time",
};

const filtersOf = (options: Record<string, unknown>): EventFilter =>
  Object.fromEntries(EVENT_FILTER_NAMES.filter((name) => options[name] !== undefined).map((name) => [name, options[name]])) as EventFilter;

export function defineEvents(program: Command): void {
  const events = program.command("events").description("Read the event log");
  addFilters(events.command("ls").description("List events, newest first"))
    .addOption(new Option("--order <order>", "sort by this time, the newest first; occurred: within 31 days").choices(EVENT_ORDERS))
    .option("--limit <n>", "maximum number of results (default: 50; 0 for all)", "50")
    .addHelpText(
      "after",
      "\nExamples:\n  $ signalbox events ls --type document.error --period 24h\n  $ signalbox events ls --any-failure --occurred-from 2026-11-21T00:00:00Z --order occurred\n  $ signalbox events ls --q data.status:failed --output quiet",
    )
    .action(async (options: Record<string, unknown>, command: Command) => {
      const { listEvents } = await import("../events.ts");
      const order = options.order === undefined ? {} : { order: String(options.order) };
      await listEvents(sessionOf(command), { ...filtersOf(options), ...order }, String(options.limit));
    });
  events
    .command("get")
    .argument("<id>", "the event's ID")
    .description("Show one event: payload, headers, attempts and effects")
    .option("--raw", "print only its body, to the byte as it was signed")
    .addHelpText("after", "\nExamples:\n  $ signalbox events get evt_123\n  $ signalbox events get evt_123 --raw | jq .data")
    .action(async (id: string, options: { raw?: boolean }, command: Command) =>
      (await import("../events.ts")).showEvent(sessionOf(command), id, options.raw === true),
    );
  addFilters(events.command("tail").description("Print events as they are received, until Ctrl-C"), LIVE)
    .option("--max-offline <duration>", "exit with code 3 after this long without a connection to Signalbox (default: never)")
    .addHelpText(
      "after",
      "\nExamples:\n  $ signalbox events tail --type document.error\n  $ signalbox events tail --output ndjson >> events.ndjson",
    )
    .action(async (options: Record<string, unknown>, command: Command) =>
      (await import("../tail.ts")).tailEvents(sessionOf(command), filtersOf(options), options.maxOffline as string | undefined),
    );
}

export function defineDelivery(program: Command): void {
  program
    .command("listen")
    .argument("<target>", "the local app: a port, host:port/path, or a URL")
    .description("Forward events to a local app as they arrive, and show its responses")
    .option("--type <type>", "only events of this type, or of all that begin so: document.*; can be repeated", collect)
    .option("--source <source>", "only from this source")
    .option(
      "--filter <json>",
      'only events that match: \'{"data":{"status":"failed"}}\', with the same operators as destinations ($gt, $in, ...)',
    )
    .option("--since <duration>", "start this far back, e.g. 10m (default: where it stopped; the first time, now)")
    .addOption(
      new Option(
        "--catch-up <choice>",
        "events that arrived while it was stopped: send or skip (default: asks on a terminal, otherwise send)",
      ).choices(["send", "skip"]),
    )
    .option("--pass-through", "send the received headers, including the platform's signature (the default)")
    .option("--re-sign", "sign as the source's sender would now, with your app's secret, as destinations do")
    .option("--signed", "replace the platform's signature with one made with a local secret")
    .option("--secret-file <file>", "the secret of --re-sign, or of --signed (there the default is one that is generated and kept)")
    .option("--max-offline <duration>", "exit with code 3 after this long without a connection to Signalbox (default: never)")
    .option("--concurrency <n>", "how many events to send at once", "10")
    .option("--timeout <duration>", "how long the local app may take to answer", "30s")
    .option("--name <name>", "a name for this listener, when several use the same target; each has its own cursor")
    .addHelpText("after", LISTEN_HELP)
    .action(async (target: string, options: ListenOptions, command: Command) =>
      (await import("../listen.ts")).listen(sessionOf(command), target, options),
    );
  addFilters(program.command("replay").argument("[id...]", "event IDs; or use filters instead"), REPLAY_FILTERS)
    .option("--after <time>", "received at or after this time (2026-01-31T12:00:00Z)")
    .option("--before <time>", "received before this time")
    .description("Send stored events again to a URL; with two URLs, compare their responses")
    .requiredOption(
      "--to <url>",
      "where the events are sent: a port, host:port/path, or a URL; a second one is the same as --also",
      collect,
    )
    .option("--also <url>", "a second target, whose responses must be the same")
    .option("--ignore <path>", "a path in JSON responses that may differ, e.g. $.requestId or $.items[*].at; can be repeated", collect)
    .option("--junit <file>", "write the comparison as a JUnit XML file")
    .option("--rate <n>", "maximum events per second", "100")
    .option("--concurrency <n>", "how many events to send at once", "10")
    .option("--timeout <duration>", "how long a target may take to answer", "30s")
    .option("--limit <n>", "maximum number of events; the newest that match are sent", "1000")
    .option("--pass-through", "send the received headers, including the platform's signature (the default)")
    .option("--re-sign", "sign as the source's sender would now, with your app's secret, as destinations do")
    .option("--signed", "replace the platform's signature with one made with a local secret")
    .option("--secret-file <file>", "the secret of --re-sign, or of --signed (there the default is one that is generated and kept)")
    .option("--no-report", "don't show the responses on the events' pages")
    .addHelpText("after", REPLAY_HELP)
    .action(async (ids: string[], options: ReplayOptions & Record<string, unknown>, command: Command) => {
      const { replay } = await import("../replay.ts");
      const { to: _target, ...filters } = options;
      await replay(sessionOf(command), ids, filtersOf({ ...filters, from: options.after, to: options.before }), options);
    });
}

/** Without `from` and `to`, since `--to` is the target here. */
const REPLAY_FILTERS = EVENT_FILTER_NAMES.filter((name) => name !== "from" && name !== "to");

const LISTEN_HELP = `
No event is missed: the position is kept on disk for each target, and forwarding continues there after sleep, a restart
of either side or a lost connection. An event can arrive twice. While the local app is down, events wait.
The app's responses are also shown on the event's page in Signalbox, under Local deliveries.

Examples:
  $ signalbox listen 4000
  $ signalbox listen http://localhost:4000/webhooks --type 'document.*' --type invoice.paid
  $ signalbox listen 4000 --filter '{"data":{"status":{"$neq":"completed"}}}'
  $ signalbox listen 4000 --since 10m --signed
  $ signalbox listen 4000 --source stripe-live --re-sign --secret-file whsec.txt
  $ signalbox listen app:4000 --catch-up send --max-offline 5m --output ndjson    # in a container

Exit codes: 0 ended by Ctrl-C, 1 failed, 2 wrong usage, 3 no connection for --max-offline.`;

const REPLAY_HELP = `
Events are sent oldest first. With two targets, each event is sent to both, and the status, body and duration of the
responses are compared: a regression test with production events.

Examples:
  $ signalbox replay evt_123 --to 4000
  $ signalbox replay --type document.processed --period 24h --to 4000
  $ signalbox replay --source stripe-live --period 7d --to 4000 --re-sign --secret-file whsec.txt
  $ signalbox replay --period 7d --to https://staging.example --also 4000 --ignore '$.requestId' --junit replay.xml

Exit codes: 0 all responded with 2xx (and the same), 1 some did not (or differ), 2 wrong usage.`;
