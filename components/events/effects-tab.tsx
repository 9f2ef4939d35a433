"use client";

import { ValueText } from "#components/events/value-text";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { resourceHref } from "#lib/client/resource-links";
import type { Effect, EventDetail } from "#lib/contracts/events";

type EffectsTabProps = { event: EventDetail; eventHref: (id: string) => string };

/** What the event set in each view, and whether that still stands. */
export function EffectsTab({ event, eventHref }: EffectsTabProps) {
  if (event.effects.length === 0) return <p className="text-13 text-muted">{nothingWords(event)}</p>;
  const groups = Map.groupBy(event.effects, ({ kind, resourceId }) => `${kind} ${resourceId}`);
  return (
    <div className="@container flex flex-col gap-6">
      {[...groups.values()].map((effects) => (
        <EffectsOf key={`${effects[0]?.kind} ${effects[0]?.resourceId}`} effects={effects} eventHref={eventHref} />
      ))}
    </div>
  );
}

function nothingWords({ status }: EventDetail): string {
  if (status === "pending") return "Not applied yet: what it sets shows here in a moment.";
  if (status === "failed") return "It could not be applied, so it changed nothing.";
  return "It changed no view: no view reads this type.";
}

function EffectsOf({ effects, eventHref }: { effects: Effect[]; eventHref: (id: string) => string }) {
  const [first] = effects;
  if (!first) return null;
  const href = resourceHref({ kind: first.kind, id: first.resourceId });
  const title = (
    <span className="flex min-w-0 items-center gap-2">
      {first.kind.charAt(0).toUpperCase() + first.kind.slice(1)}
      <ResourceId id={first.resourceId} {...(href === null ? {} : { href })} />
    </span>
  );
  return (
    <Section title={title}>
      <Table label={`What it set in ${first.kind} ${first.resourceId}`}>
        <TableHead>
          <HeadCell className="static w-1/3">Field</HeadCell>
          <HeadCell className="static">Value</HeadCell>
          <HeadCell className="static @max-[640px]:hidden">Now</HeadCell>
        </TableHead>
        <TableBody>
          {effects.map((effect) => (
            <Row key={effect.field}>
              <Cell className="whitespace-normal break-all py-2 align-top font-mono text-12 leading-5">{effect.field}</Cell>
              <Cell className="whitespace-normal py-2 align-top">
                <ValueText value={effect.value} />
                {effect.overtakenBy === null ? null : (
                  <div className="hidden @max-[640px]:block">
                    <Standing overtakenBy={effect.overtakenBy} eventHref={eventHref} />
                  </div>
                )}
              </Cell>
              <Cell className="py-2 align-top @max-[640px]:hidden">
                <Standing overtakenBy={effect.overtakenBy} eventHref={eventHref} />
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </Section>
  );
}

/** Whether a value still stands, or which event set a later one. */
function Standing({ overtakenBy, eventHref }: { overtakenBy: string | null; eventHref: (id: string) => string }) {
  if (overtakenBy === null) return <span className="text-muted">stands</span>;
  return (
    <span className="flex items-center gap-1 text-muted">
      overtaken by <ResourceId id={overtakenBy} href={eventHref(overtakenBy)} />
    </span>
  );
}
