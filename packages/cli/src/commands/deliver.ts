import { type Command, Option } from "commander";
import { EVENT_FILTER_NAMES } from "../../../../lib/contracts/events/event-filters.ts";
import type { ListenOptions, ReplayOptions } from "../deliver/options.ts";
import { addFilters, filtersOf } from "./events.ts";
import { collect, sessionOf } from "./session.ts";

/** `signalbox listen` and `replay`: events to a local address. */
export function defineDelivery(program: Command): void {
  program
    .command("listen")
    .argument("<target>", "the local app: a port, host:port/path, or a URL")
    .description("Forward events to a local app as they arrive, and show its responses")
    .option("--type <type>", "only of this type; repeats", collect)
    .option("--source <source>", "only of this source")
    .option("--filter <json>", 'only what matches: \'{"data":{"status":"failed"}}\', with the operators of destinations ($gt, $in, ...)')
    .option("--since <duration>", "begin so far back, e.g. 10m (default: where it stopped, the first time now)")
    .addOption(
      new Option("--catch-up <choice>", "what came while it was away: send or skip (default: asks on a terminal, else send)").choices([
        "send",
        "skip",
      ]),
    )
    .option("--pass-through", "send the received headers, the platform's signature with them (the default)")
    .option("--signed", "replace the signature by one made with a secret of this machine")
    .option("--secret-file <file>", "with --signed: the secret to sign with (default: one is made and kept)")
    .option("--max-offline <duration>", "end with code 3 after so long without Signalbox (default: never)")
    .option("--concurrency <n>", "so many events at a time", "10")
    .option("--timeout <duration>", "how long the local app may take to answer", "30s")
    .option("--name <name>", "tells listeners of one target apart; each has its own cursor")
    .addHelpText("after", LISTEN_HELP)
    .action(async (target: string, options: ListenOptions, command: Command) => {
      const { listen } = await import("../listen/listen.ts");
      await listen(sessionOf(command), target, options);
    });
  addFilters(program.command("replay").argument("[id...]", "the events' IDs; or use filters"), REPLAY_FILTERS)
    .option("--after <time>", "received from this time on (2026-01-31T12:00:00Z)")
    .option("--before <time>", "received before this time")
    .description("Send stored events again to a URL; with two URLs, compare their answers")
    .requiredOption(
      "--to <url>",
      "where the events are sent: a port, host:port/path, or a URL; a second one is the same as --also",
      collect,
    )
    .option("--also <url>", "a second target, whose answers must be the same")
    .option("--ignore <path>", "a path of JSON answers that may differ, e.g. $.requestId or $.items[*].at; repeats", collect)
    .option("--junit <file>", "write the comparison as a JUnit XML file")
    .option("--rate <n>", "at most so many events a second", "100")
    .option("--concurrency <n>", "so many events at a time", "10")
    .option("--timeout <duration>", "how long a target may take to answer", "30s")
    .option("--limit <n>", "at most so many events, the newest of those that match", "1000")
    .option("--pass-through", "send the received headers, the platform's signature with them (the default)")
    .option("--signed", "replace the signature by one made with a secret of this machine")
    .option("--secret-file <file>", "with --signed: the secret to sign with (default: one is made and kept)")
    .option("--no-report", "don't show the answers on the events' pages")
    .addHelpText("after", REPLAY_HELP)
    .action(async (ids: string[], options: ReplayOptions & Record<string, unknown>, command: Command) => {
      const { replay } = await import("../replay/replay.ts");
      const { to: _target, ...filters } = options;
      await replay(sessionOf(command), ids, filtersOf({ ...filters, from: options.after, to: options.before }), options);
    });
}

/** `--to` is where events are sent, so that the times have other names here. */
const REPLAY_FILTERS = EVENT_FILTER_NAMES.filter((name) => name !== "from" && name !== "to");

const LISTEN_HELP = `
No event is missed: the position is kept on disk for each target, and after sleep, a restart of either side or a lost
connection it continues there. An event can arrive twice. While the local app is down, events wait.
The app's answers are also shown on the event's page in Signalbox, under Local deliveries.

Examples:
  $ signalbox listen 4000
  $ signalbox listen http://localhost:4000/webhooks --type document.processed --type document.error
  $ signalbox listen 4000 --filter '{"data":{"status":{"$neq":"completed"}}}'
  $ signalbox listen 4000 --since 10m --signed
  $ signalbox listen app:4000 --catch-up send --max-offline 5m --output ndjson    # in a container

Exit codes: 0 ended by Ctrl-C, 1 failed, 2 wrong usage, 3 no connection for --max-offline.`;

const REPLAY_HELP = `
The events go out oldest first. With two targets each event is sent to both, and the answers' status, body and duration
are compared: production events as a regression test.

Examples:
  $ signalbox replay evt_123 --to 4000
  $ signalbox replay --type document.processed --period 24h --to 4000
  $ signalbox replay --period 7d --to https://staging.example --also 4000 --ignore '$.requestId' --junit replay.xml

Exit codes: 0 all answered (and are the same), 1 some did not (or differ), 2 wrong usage.`;
