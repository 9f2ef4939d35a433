"use client";

import { DifferenceTable } from "#components/settings/views/difference-table";
import { countWords, outcomeOf, sentenceOf, wrongRecords } from "#components/settings/views/rebuild-words";
import { CopyButton } from "#components/ui/copy-button";
import { formatNumber } from "#components/ui/count";
import { ExactTime } from "#components/ui/exact-time";
import { ProblemNotice } from "#components/ui/problem-notice";
import { RelativeTime } from "#components/ui/relative-time";
import { StateBadge } from "#components/ui/state-badge";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { durationWords } from "#components/ui/time-words";
import type { RebuildReport, ViewRebuild } from "#lib/contracts/view-rebuilds";

/** What the last one found: a sentence, the hashes, the differences. */
export function RebuildResult({ rebuild }: { rebuild: ViewRebuild }) {
  const { report, failure } = rebuild;
  const outcome = outcomeOf(rebuild);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
        <StateBadge state={outcome.state}>{outcome.word}</StateBadge>
        <span>
          {rebuild.dryRun ? "Check" : "Rebuild"} <RelativeTime at={rebuild.finishedAt ?? rebuild.createdAt} />
          {rebuild.requestedBy === null ? "" : ` by ${rebuild.requestedBy}`}
        </span>
      </div>
      {rebuild.state === "stopped" ? <p className="text-13">It was stopped before the end. The views are as they were.</p> : null}
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
        Folded in {durationWords(ms.folding)} ({countWords(rate, "event")} a second), compared in {durationWords(ms.comparing)}
        {ms.writing > 0 ? `, written in ${durationWords(ms.writing)}` : ""}.
      </p>
      {carriedFields === 0 ? null : (
        <p>
          {countWords(carriedFields, "field was", "fields were")} kept whose events the log no longer holds
          {logBegins === null ? (
            ": it is empty."
          ) : (
            <>
              ; it begins <ExactTime at={logBegins} />.
            </>
          )}
        </p>
      )}
      {waiting === 0 ? null : <p>{countWords(waiting, "event")} waited in the inbox and counted as applied.</p>}
    </div>
  );
}

/** The proof: one hash a kind over every field of every record, live and as the log makes it. */
function HashTable({ kinds }: { kinds: RebuildReport["kinds"] }) {
  if (kinds.length === 0) return <p className="text-13 text-muted">The log makes no record yet.</p>;
  return (
    <Table label="Hashes of live and rebuilt views">
      <TableHead>
        <HeadCell className="static">Kind</HeadCell>
        <HeadCell className="static" align="right">
          Records
        </HeadCell>
        <HeadCell className="static">Verdict</HeadCell>
        <HeadCell className="static">Hash of the live ones</HeadCell>
        <HeadCell className="static">Hash from the log</HeadCell>
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
                <StateBadge state="fine">Equal</StateBadge>
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
      <CopyButton value={text} label="Copy the whole hash" />
    </span>
  );
}
