import { type Command, Option } from "commander";
import { EVENT_FILTER_NAMES } from "../../../../lib/contracts/events/event-filters.ts";
import type { ListenOptions, ReplayOptions } from "../deliver/options.ts";
import { addFilters, filtersOf } from "./events.ts";
import { collect, sessionOf } from "./session.ts";

export function defineDelivery(program: Command): void {
  program
    .command("listen")
    .argument("<target>", "the local app: a port, host:port/path, or a URL")
    .description("Forward events to a local app as they arrive, and show its responses")
    .option("--type <type>", "only events of this type; can be repeated", collect)
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
    .option("--signed", "replace the signature with one made with a local secret")
    .option("--secret-file <file>", "with --signed: the secret to sign with (default: one is generated and kept)")
    .option("--max-offline <duration>", "exit with code 3 after this long without a connection to Signalbox (default: never)")
    .option("--concurrency <n>", "how many events to send at once", "10")
    .option("--timeout <duration>", "how long the local app may take to answer", "30s")
    .option("--name <name>", "a name for this listener, when several use the same target; each has its own cursor")
    .addHelpText("after", LISTEN_HELP)
    .action(async (target: string, options: ListenOptions, command: Command) => {
      const { listen } = await import("../listen/listen.ts");
      await listen(sessionOf(command), target, options);
    });
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
    .option("--signed", "replace the signature with one made with a local secret")
    .option("--secret-file <file>", "with --signed: the secret to sign with (default: one is generated and kept)")
    .option("--no-report", "don't show the responses on the events' pages")
    .addHelpText("after", REPLAY_HELP)
    .action(async (ids: string[], options: ReplayOptions & Record<string, unknown>, command: Command) => {
      const { replay } = await import("../replay/replay.ts");
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
  $ signalbox listen http://localhost:4000/webhooks --type document.processed --type document.error
  $ signalbox listen 4000 --filter '{"data":{"status":{"$neq":"completed"}}}'
  $ signalbox listen 4000 --since 10m --signed
  $ signalbox listen app:4000 --catch-up send --max-offline 5m --output ndjson    # in a container

Exit codes: 0 ended by Ctrl-C, 1 failed, 2 wrong usage, 3 no connection for --max-offline.`;

const REPLAY_HELP = `
Events are sent oldest first. With two targets, each event is sent to both, and the status, body and duration of the
responses are compared: a regression test with production events.

Examples:
  $ signalbox replay evt_123 --to 4000
  $ signalbox replay --type document.processed --period 24h --to 4000
  $ signalbox replay --period 7d --to https://staging.example --also 4000 --ignore '$.requestId' --junit replay.xml

Exit codes: 0 all responded with 2xx (and the same), 1 some did not (or differ), 2 wrong usage.`;
