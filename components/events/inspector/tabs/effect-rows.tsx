"use client";

import type { ReactNode } from "react";
import { ResourceId } from "#components/records/resource-id";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import type { Effect } from "#lib/contracts/events/events";
import { ValueText } from "./value-text.tsx";

type EffectRowsProps = { label: string; effects: Effect[]; eventHref: (id: string) => string };

export function EffectRows({ label, effects, eventHref }: EffectRowsProps) {
  return (
    <Table label={label}>
      <TableHead>
        <HeadCell className="static w-1/4">Field</HeadCell>
        <HeadCell className="static @max-[640px]:hidden">Before</HeadCell>
        <HeadCell className="static">Set to</HeadCell>
        <HeadCell className="static @max-[640px]:hidden">Now</HeadCell>
      </TableHead>
      <TableBody>
        {effects.map((effect) => (
          <Row key={effect.field}>
            <Cell className="whitespace-normal break-all py-2 align-top font-mono text-12 leading-5">{effect.field}</Cell>
            <Cell className="whitespace-normal py-2 align-top @max-[640px]:hidden">
              <BeforeValue effect={effect} eventHref={eventHref} />
            </Cell>
            <Cell className="whitespace-normal py-2 align-top">
              {effect.field.startsWith("stage:") ? (
                <span className="text-muted">First event in this stage</span>
              ) : (
                <ValueText value={effect.value} />
              )}
              <div className="hidden flex-col gap-1 pt-1 text-12 text-muted @max-[640px]:flex">
                <Named name="Before">
                  <BeforeValue effect={effect} eventHref={eventHref} />
                </Named>
                <Named name="Now">
                  <CurrentValue effect={effect} eventHref={eventHref} />
                </Named>
              </div>
            </Cell>
            <Cell className="whitespace-normal py-2 align-top @max-[640px]:hidden">
              <CurrentValue effect={effect} eventHref={eventHref} />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <span className="w-12 shrink-0">{name}</span>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

function BeforeValue({ effect: { before, beforeKnown }, eventHref }: { effect: Effect; eventHref: (id: string) => string }) {
  if (before === null) return <span className="text-faint">{beforeKnown ? "Not set" : "Not known"}</span>;
  return (
    <span className="flex flex-col gap-0.5 text-muted">
      <ValueText value={before.value} />
      <span className="flex items-center gap-1 text-12">
        by <ResourceId id={before.eventId} href={eventHref(before.eventId)} />
      </span>
    </span>
  );
}

function CurrentValue({ effect: { verdict, now }, eventHref }: { effect: Effect; eventHref: (id: string) => string }) {
  if (verdict === "stands")
    return (
      <span className="flex items-center gap-1.5 whitespace-nowrap text-muted [&>svg]:size-3.5">
        <StateIcon state="fine" /> Current
      </span>
    );
  return (
    <span className="flex flex-col gap-0.5">
      <ValueText value={now.value} />
      <span className="flex flex-wrap items-center gap-x-1 text-12 text-muted">
        {verdict === "overtaken" ? "replaced by" : "ignored, already set by"}
        <ResourceId id={now.eventId} href={eventHref(now.eventId)} />
      </span>
    </span>
  );
}
