"use client";

import { ValueText } from "#components/events/inspector/tabs/value-text";
import { shortId } from "#components/records/resource-id";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { cn } from "#components/ui/primitives/cn";
import type { Difference } from "#lib/client/format/compare";
import type { EventSummary } from "#lib/contracts/events/events";

/** Shows two payloads side by side. Differences have an icon as well as a colour. */
export function CompareTable({ left, right, places }: { left: EventSummary; right: EventSummary; places: Difference[] }) {
  if (places.length === 0) return null;
  return (
    <Table label="Payload comparison, field by field">
      <TableHead>
        <HeadCell className="static w-1/4">Field</HeadCell>
        <HeadCell className="static whitespace-normal">{`This: ${shortId(left.id)}`}</HeadCell>
        <HeadCell className="static whitespace-normal">{`Other: ${shortId(right.id)}`}</HeadCell>
      </TableHead>
      <TableBody>
        {places.map((place) => (
          <Row key={place.path}>
            <Cell className="whitespace-normal break-all py-2 align-top font-mono text-12 leading-5">
              <span className="flex min-w-24 items-start gap-1.5">
                {place.same ? null : <StateIcon state="attention" className="mt-0.5 size-3.5" />}
                <span>
                  {place.path}
                  {place.same ? null : <span className="sr-only"> differs</span>}
                </span>
              </span>
            </Cell>
            <Side value={place.left} same={place.same} />
            <Side value={place.right} same={place.same} />
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function Side({ value, same }: { value: unknown; same: boolean }) {
  return (
    <Cell className={cn("whitespace-normal py-2 align-top", !same && "bg-attention-surface")}>
      {value === undefined ? <span className="text-12 text-muted">not present</span> : <ValueText value={value} />}
    </Cell>
  );
}
