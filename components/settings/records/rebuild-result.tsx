"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import { DifferenceTable } from "#components/settings/records/difference-table";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { CopyButton } from "#components/ui/json/copy-button";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { ExactTime } from "#components/ui/time/exact-time";
import { RelativeTime } from "#components/ui/time/relative-time";
import { durationWords } from "#components/ui/time/time-format";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import type { RebuildReport, ViewRebuild } from "#lib/contracts/view-rebuilds";
import { outcomeOf, sentenceOf, wrongRecords } from "./rebuild-labels.tsx";
import { RebuildProgress } from "./rebuild-progress.tsx";

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
  return (
    <Table label="Hashes of live and rebuilt records">
      <TableHead>
        <HeadCell className="static">Kind</HeadCell>
        <HeadCell className="static" align="right">
          Records
        </HeadCell>
        <HeadCell className="static">Result</HeadCell>
        <HeadCell className="static">Live hash</HeadCell>
        <HeadCell className="static">Rebuilt hash</HeadCell>
      </TableHead>
      <TableBody>
        {kinds.map(({ kind, live, rebuilt }) => (
          <Row key={kind}>
            <Cell className="font-medium capitalize">{kind}</Cell>
            <Cell align="right" className="tabular-nums">
              {formatNumber(rebuilt.records)}
            </Cell>
            <Cell>
              {live.hash === rebuilt.hash ? (
                <StateBadge state="fine">Matches</StateBadge>
              ) : (
                <StateBadge state="attention">Differs</StateBadge>
              )}
            </Cell>
            <Cell>
              <Hash text={live.hash} />
            </Cell>
            <Cell>
              <Hash text={rebuilt.hash} />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function Hash({ text }: { text: string }) {
  if (text === "") return <span className="text-faint">None</span>;
  return (
    <span className="flex items-center gap-1 font-mono text-12">
      {text.slice(0, 10)}
      <CopyButton value={text} label="Copy hash" />
    </span>
  );
}
