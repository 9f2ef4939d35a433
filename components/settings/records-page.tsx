"use client";

import { ListChecks } from "lucide-react";
import { OperationProgress } from "#components/records/operation-progress";
import { ResourceId } from "#components/records/resource-id";
import { CopyButton } from "#components/ui/code-block";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { tellFailure } from "#components/ui/feedback/toast";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, numberColumn } from "#components/ui/layout/data-table";
import { Panel, PanelBody, PanelHeader, Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { type State, StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { ExactTime, RelativeTime } from "#components/ui/relative-time";
import { durationWords } from "#components/ui/time-format";
import { resourceHref } from "#lib/client/format/resource-links";
import { isRebuilding, useRebuilds, useStartRebuild } from "#lib/client/queries/maintenance";
import { writeJson } from "#lib/contracts/exact-json";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { operationOfRebuild } from "#lib/contracts/operation-states";
import type { RebuildReport, ViewDifference, ViewRebuild } from "#lib/contracts/views";

export function RecordsPage({ canRebuild }: { canRebuild: boolean }) {
  const { data, fallback } = withFallback(useRebuilds(), { what: "recent checks", rows: 4 });
  const busy = data?.some(isRebuilding) ?? false;
  return (
    <Section
      title="Records"
      description="Documents, tasks, pipelines, automations and integrations are built from your events. Check that they match the event log, or rebuild them."
    >
      {canRebuild ? <Actions busy={busy} /> : null}
      {data ? <Rebuilds rebuilds={data} canRebuild={canRebuild} /> : fallback}
    </Section>
  );
}

function Actions({ busy }: { busy: boolean }) {
  const start = useStartRebuild();
  const check = () => tellFailure(start.mutateAsync({ dryRun: true }), "Couldn't start the check");
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={check} loading={start.isPending} disabled={busy}>
        Check against the log
      </Button>
      <ConfirmDialog
        trigger={
          <Button variant="primary" disabled={busy}>
            Rebuild records
          </Button>
        }
        title="Rebuild records from the log?"
        description="Every event is replayed alongside the live records. Records that differ are then replaced in one step; data whose events are no longer in the log is kept. Events are still received in the meantime, and if you stop, nothing changes."
        confirmLabel="Rebuild records"
        onConfirm={() => start.mutateAsync({ dryRun: false })}
      />
    </div>
  );
}

function Rebuilds({ rebuilds, canRebuild }: { rebuilds: ViewRebuild[]; canRebuild: boolean }) {
  const running = rebuilds.find(isRebuilding);
  const ended = rebuilds.filter((rebuild) => !isRebuilding(rebuild));
  const [latest] = ended;
  if (!running && !latest)
    return (
      <NothingYet icon={<ListChecks />} title="Never checked">
        Records are updated with every event. A check replays the whole log and reports whether the result is identical, byte for byte.
      </NothingYet>
    );
  return (
    <div className="flex flex-col gap-6">
      {running ? <RebuildProgress rebuild={running} canRebuild={canRebuild} /> : null}
      {latest ? <RebuildResult rebuild={latest} canResume={canRebuild && !running} /> : null}
      {ended.length > 1 ? <RebuildHistory rebuilds={ended.slice(1)} /> : null}
    </div>
  );
}

function RebuildHistory({ rebuilds }: { rebuilds: ViewRebuild[] }) {
  return (
    <Section title="Earlier">
      <ul className="divide-y divide-line border-y border-line">
        {rebuilds.map((rebuild) => {
          const { state, word } = outcomeOf(rebuild);
          return (
            <li data-row key={rebuild.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-13">
              <StateBadge state={state}>{word}</StateBadge>
              <span>{rebuild.dryRun ? "Check" : "Rebuild"}</span>
              {rebuild.report ? <span className="text-muted">{countWords(rebuild.report.events, "event")}</span> : null}
              <span className="ml-auto text-12 text-muted">
                <RelativeTime at={rebuild.finishedAt ?? rebuild.createdAt} />
                {rebuild.requestedBy === null ? "" : ` by ${rebuild.requestedBy}`}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

export function RebuildResult({ rebuild, canResume }: { rebuild: ViewRebuild; canResume: boolean }) {
  const { report, failure } = rebuild;
  const outcome = outcomeOf(rebuild);
  if (rebuild.state === "stopped") return <RebuildProgress rebuild={rebuild} canRebuild={canResume} />;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
        <StateBadge state={outcome.state}>{outcome.word}</StateBadge>
        <span>
          {rebuild.dryRun ? "Check" : "Rebuild"} <RelativeTime at={rebuild.finishedAt ?? rebuild.createdAt} />
          {rebuild.requestedBy === null ? "" : ` by ${rebuild.requestedBy}`}
        </span>
      </div>
      {failure === null ? null : <ProblemNotice what={rebuild.dryRun ? "The check failed" : "The rebuild failed"} why={failure} />}
      {report ? <Report rebuild={rebuild} report={report} /> : null}
    </div>
  );
}

function Report({ rebuild, report }: { rebuild: ViewRebuild; report: RebuildReport }) {
  return (
    <>
      <p className="text-14">{sentenceOf({ dryRun: rebuild.dryRun, report })}</p>
      <Notes report={report} />
      <HashTable kinds={report.kinds} />
      {wrongRecords(report) > 0 ? <DifferenceTable report={report} /> : null}
    </>
  );
}

function Notes({ report: { carriedFields, logBegins, waiting, ms, events } }: { report: RebuildReport }) {
  const rate = ms.folding > 0 ? Math.round(events / (ms.folding / 1000)) : events;
  return (
    <div className="flex flex-col gap-1 text-12 text-muted">
      <p>
        Replayed in {durationWords(ms.folding)} ({countWords(rate, "event")} per second), compared in {durationWords(ms.comparing)}
        {ms.writing > 0 ? `, written in ${durationWords(ms.writing)}` : ""}.
      </p>
      {carriedFields === 0 ? null : (
        <p>
          {countWords(carriedFields, "field was", "fields were")} kept although the log no longer has their events
          {logBegins === null ? (
            ": it is empty."
          ) : (
            <>
              ; it starts <ExactTime at={logBegins} />.
            </>
          )}
        </p>
      )}
      {waiting === 0 ? null : <p>{countWords(waiting, "event")} still waiting counted as applied.</p>}
    </div>
  );
}

/** One hash for each kind over every field of every record, live and rebuilt from the log. */
function HashTable({ kinds }: { kinds: RebuildReport["kinds"] }) {
  if (kinds.length === 0) return <p className="text-13 text-muted">No records yet.</p>;
  return <DataTable label="Hashes of live and rebuilt records" scrolls columns={HASH_COLUMNS} rows={kinds} keyOf={({ kind }) => kind} />;
}

const HASH_COLUMNS: Column<RebuildReport["kinds"][number]>[] = [
  { head: "Kind", look: "font-medium capitalize", cell: ({ kind }) => kind },
  numberColumn("Records", ({ rebuilt }) => formatNumber(rebuilt.records)),
  {
    head: "Result",
    cell: ({ live, rebuilt }) =>
      live.hash === rebuilt.hash ? <StateBadge state="fine">Matches</StateBadge> : <StateBadge state="attention">Differs</StateBadge>,
  },
  { head: "Live hash", cell: ({ live }) => <Hash text={live.hash} /> },
  { head: "Rebuilt hash", cell: ({ rebuilt }) => <Hash text={rebuilt.hash} /> },
];

function Hash({ text }: { text: string }) {
  if (text === "") return <span className="text-faint">None</span>;
  return (
    <span className="flex items-center gap-1 font-mono text-12">
      {text.slice(0, 10)}
      <CopyButton value={text} label="Copy hash" />
    </span>
  );
}

const SHOWN = 25;

function DifferenceTable({ report }: { report: RebuildReport }) {
  const { differences } = report;
  const hidden = differences.length - SHOWN;
  return (
    <div className="flex flex-col gap-2">
      <DataTable
        label="Differences"
        scrolls
        columns={DIFFERENCE_COLUMNS}
        rows={differences.slice(0, SHOWN)}
        keyOf={({ kind, id, field }) => `${kind} ${id} ${field}`}
      />
      {hidden > 0 ? <p className="text-12 text-muted">{countWords(hidden, "more is", "more are")} in the API response.</p> : null}
    </div>
  );
}

const DIFFERENCE_COLUMNS: Column<ViewDifference>[] = [
  { head: "Record", look: "py-2 align-top", cell: ({ kind, id }) => <Named kind={kind} id={id} /> },
  {
    head: "Field",
    look: "py-2 align-top font-mono text-12",
    cell: ({ field }) => (field === "*" ? <span className="font-sans">Whole record</span> : field),
  },
  { head: "Live", look: "py-2 align-top", cell: ({ live }) => <Side side={live} /> },
  { head: "Rebuilt", look: "py-2 align-top", cell: ({ rebuilt }) => <Side side={rebuilt} /> },
];

function Named({ kind, id }: Pick<ViewDifference, "kind" | "id">) {
  const href = resourceHref({ kind, id });
  return (
    <span className="flex flex-col gap-0.5">
      <span className="text-12 text-muted capitalize">{kind}</span>
      <ResourceId id={id} {...(href === null ? {} : { href })} />
    </span>
  );
}

function Side({ side }: { side: ViewDifference["live"] }) {
  if (!side) return <span className="text-faint">None</span>;
  return (
    <span className="flex flex-col gap-0.5">
      <span className="max-w-60 truncate font-mono text-12">{writeJson(side.value)}</span>
      <ResourceId id={side.eventId} href={`/events/${encodeURIComponent(side.eventId)}`} />
    </span>
  );
}

export function RebuildProgress({ rebuild, canRebuild }: { rebuild: ViewRebuild; canRebuild: boolean }) {
  return (
    <Panel>
      <PanelHeader
        title={rebuild.dryRun ? "Checking records against the log" : "Rebuilding records"}
        hint="Live records don't change until it finishes."
      />
      <PanelBody>
        <OperationProgress
          operation={operationOfRebuild(rebuild)}
          allowed={canRebuild}
          unit={["event", "events"]}
          phaseWords={phaseWords(rebuild)}
        >
          {rebuild.state === "stopped" ? (
            <p className="text-12 text-muted">Stopped before it finished. No records were changed. Resuming replays the log again.</p>
          ) : null}
        </OperationProgress>
      </PanelBody>
    </Panel>
  );
}

function phaseWords({ state, phase }: ViewRebuild): string | undefined {
  if (state !== "running") return undefined;
  if (phase === "comparing") return "All events replayed; comparing field by field";
  return phase === "writing" ? "Writing the differences in one transaction" : undefined;
}

/** Number of live records that differ from the log. */
const wrongRecords = ({ missing, surplus, different }: RebuildReport): number => missing + surplus + different;

const wrongMoves = ({ moves }: RebuildReport): number => (moves ? moves.missing + moves.surplus + moves.different : 0);

export function outcomeOf({ state, dryRun, report }: ViewRebuild): { state: State; word: string } {
  if (state === "failed") return { state: "failed", word: "Failed" };
  if (state === "stopped") return { state: "neutral", word: "Stopped" };
  if (state !== "done" || !report) return { state: "working", word: "Running" };
  if (wrongRecords(report) + wrongMoves(report) === 0) return { state: "fine", word: "Matches" };
  return dryRun ? { state: "attention", word: "Differs" } : { state: "fine", word: "Corrected" };
}

function sentenceOf({ dryRun, report }: { dryRun: boolean; report: RebuildReport }): string {
  const moves = wrongMoves(report);
  const read = `${countWords(report.events, "event")} replayed`;
  if (wrongRecords(report) + moves === 0) return `Live records match the log: ${read}, no differences.`;
  const found = [
    report.different > 0 ? countWords(report.different, "record differs", "records differ") : null,
    report.missing > 0 ? `${countWords(report.missing, "is", "are")} missing` : null,
    report.surplus > 0 ? `${countWords(report.surplus, "has", "have")} no event` : null,
    moves > 0 ? countWords(moves, "task move differs", "task moves differ") : null,
  ].filter((words) => words !== null);
  const what = `${read}: ${found.join(", ")}.`;
  return dryRun
    ? `${what} Nothing was changed. Rebuild records to correct this.`
    : `${what} ${countWords(report.corrected, "record was", "records were")} corrected.`;
}
