"use client";

import { ResourceId } from "#components/records/resource-id";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { resourceHref } from "#lib/client/format/resource-links";
import { formatNumber } from "#lib/contracts/counts/format-count";
import { writeJson } from "#lib/contracts/json/exact-json";
import type { RebuildReport, ViewDifference } from "#lib/contracts/view-rebuilds";

const SHOWN = 25;

export function DifferenceTable({ report }: { report: RebuildReport }) {
  const { differences } = report;
  const hidden = differences.length - SHOWN;
  return (
    <div className="flex flex-col gap-2">
      <Table label="Differences">
        <TableHead>
          <HeadCell className="static">Record</HeadCell>
          <HeadCell className="static">Field</HeadCell>
          <HeadCell className="static">Live</HeadCell>
          <HeadCell className="static">Rebuilt</HeadCell>
        </TableHead>
        <TableBody>
          {differences.slice(0, SHOWN).map((difference) => (
            <DifferenceRow key={`${difference.kind} ${difference.id} ${difference.field}`} difference={difference} />
          ))}
        </TableBody>
      </Table>
      {hidden > 0 ? <p className="text-12 text-muted">{formatNumber(hidden)} more are in the API response.</p> : null}
    </div>
  );
}

function DifferenceRow({ difference: { kind, id, field, live, rebuilt } }: { difference: ViewDifference }) {
  const href = resourceHref({ kind, id });
  return (
    <Row>
      <Cell className="py-2 align-top">
        <span className="flex flex-col gap-0.5">
          <span className="text-12 text-muted capitalize">{kind}</span>
          <ResourceId id={id} {...(href === null ? {} : { href })} />
        </span>
      </Cell>
      <Cell className="py-2 align-top font-mono text-12">{field === "*" ? <span className="font-sans">Whole record</span> : field}</Cell>
      <Cell className="py-2 align-top">
        <Side side={live} />
      </Cell>
      <Cell className="py-2 align-top">
        <Side side={rebuilt} />
      </Cell>
    </Row>
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
