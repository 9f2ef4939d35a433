import { parseArgs } from "node:util";
import { listWorkspaces } from "#lib/auth/members/workspace-store";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { RebuildReport, ViewDifference } from "#lib/contracts/views";
import { type RebuildProgress, runRebuildNow } from "#lib/flows/views/rebuild-views";
import { complain, say } from "./progress.ts";
import { withInstallation } from "./with-installation.ts";

// `npm run views:rebuild` replays the log of every workspace and swaps what differs. `-- --dry-run` only compares, and ends with 1 if
// anything differs; `-- --workspace wsp_…` takes one. Ctrl-C leaves the views as they were.

const SAY_EVERY_MS = 1000;
const SHOWN = 10;

const readOptions = () =>
  parseArgs({
    options: { "dry-run": { type: "boolean", default: false }, workspace: { type: "string" }, rest: { type: "string", default: "0" } },
  }).values;

async function rebuildAll(options: ReturnType<typeof readOptions>): Promise<number> {
  const dryRun = options["dry-run"];
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());
  const workspaces = (await listWorkspaces()).filter(({ id }) => options.workspace === undefined || id === options.workspace);
  if (workspaces.length === 0 && options.workspace !== undefined) {
    complain("There is no workspace with that ID. Omit --workspace to rebuild all of them.");
    return 1;
  }
  if (workspaces.length === 0) say("There is no workspace yet: nothing to rebuild.");
  let code = 0;
  for (const { id, name } of workspaces) {
    say(`${name} (${id})`);
    const result = await runRebuildNow(id, {
      dryRun,
      requestedBy: "the command line",
      signal: abort.signal,
      rest: Number(options.rest) || 0,
      onProgress: progressLine(),
    });
    if (result.outcome === "finished") code = Math.max(code, printReport(result.report, dryRun));
    else code = 1;
    if (result.outcome === "busy") say("  A rebuild of this workspace is already running. Wait for it, or stop it in Settings > Records.");
    if (result.outcome === "stopped") say("  Stopped. The records are unchanged.");
    if (abort.signal.aborted) break;
  }
  return code;
}

function progressLine(): (progress: RebuildProgress) => void {
  const started = performance.now();
  let said = started;
  return ({ phase, done, total }) => {
    if (performance.now() - said < SAY_EVERY_MS) return;
    said = performance.now();
    const rate = done / ((said - started) / 1000);
    const left = phase === "folding" ? `, about ${formatNumber(Math.ceil((total - done) / Math.max(1, rate)))} s left` : "";
    say(`  ${phase}: ${formatNumber(done)} of ${formatNumber(total)} events, ${formatNumber(Math.round(rate))} a second${left}`);
  };
}

/** Returns the exit code: 1 for a dry run that found a difference. */
function printReport(report: RebuildReport, dryRun: boolean): number {
  const { events, missing, surplus, different, moves, corrected, carriedFields, waiting, ms } = report;
  say(
    `  ${countWords(events, "event")} replayed in ${formatNumber(ms.folding)} ms (${formatNumber(Math.round(events / (ms.folding / 1000)))} a second), compared in ${formatNumber(ms.comparing)} ms`,
  );
  for (const { kind, live, rebuilt } of report.kinds) {
    const same = live.hash === rebuilt.hash;
    say(
      `  ${kind.padEnd(12)} ${formatNumber(rebuilt.records).padStart(10)}  live ${short(live.hash)}  rebuilt ${short(rebuilt.hash)}  ${same ? "equal" : "DIFFERENT"}`,
    );
  }
  if (waiting > 0) say(`  ${countWords(waiting, "event")} pending in the inbox counted as applied`);
  if (carriedFields > 0)
    say(
      `  ${countWords(carriedFields, "field was", "fields were")} kept without events in the log (${report.logBegins === null ? "it is empty" : `it begins ${report.logBegins}`})`,
    );
  const wrongMoves = moves ? moves.missing + moves.surplus + moves.different : 0;
  if (moves)
    say(
      `  ${"task moves".padEnd(12)} ${formatNumber(moves.rebuilt).padStart(10)}  ${wrongMoves === 0 ? "equal" : `${formatNumber(wrongMoves)} DIFFERENT`}`,
    );
  const wrong = missing + surplus + different + wrongMoves;
  if (wrong === 0) say("  The live records match the log exactly.");
  else
    say(
      `  ${countWords(different, "record differs", "records differ")}, ${countWords(missing, "is", "are")} missing, ${countWords(surplus, "has", "have")} no event${dryRun ? "" : `; ${formatNumber(corrected)} corrected in ${formatNumber(ms.writing)} ms`}`,
    );
  for (const difference of report.differences.slice(0, SHOWN)) say(`    ${lineOf(difference)}`);
  return dryRun && wrong > 0 ? 1 : 0;
}

const short = (hash: string) => (hash === "" ? "none".padEnd(12) : hash.slice(0, 12));
const sideWords = (side: ViewDifference["live"]) => (side ? `${JSON.stringify(side.value)?.slice(0, 60)} (${side.eventId})` : "nothing");
const lineOf = ({ kind, id, field, live, rebuilt }: ViewDifference) =>
  `${kind} ${id}, ${field === "*" ? "the record" : field}: live ${sideWords(live)}, log ${sideWords(rebuilt)}`;

try {
  const options = readOptions();
  process.exitCode = await withInstallation(() => rebuildAll(options));
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
