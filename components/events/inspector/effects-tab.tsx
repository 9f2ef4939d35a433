import type { ReactNode } from "react";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { ValueText } from "#components/records/value-text";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { StateIcon } from "#components/ui/primitives/badge";
import { coverageWords } from "#lib/client/format/history-coverage";
import { resourceHref } from "#lib/client/format/resource-links";
import type { Effect, EventDetail } from "#lib/contracts/events/events";
import { countWords } from "#lib/contracts/format-count";

type EffectsTabProps = { event: EventDetail; eventHref: (id: string) => string };

export function EffectsTab({ event, eventHref }: EffectsTabProps) {
  if (event.effects.length === 0) return <p className="text-13 text-muted">{noEffectsWords(event)}</p>;
  const groups = Map.groupBy(event.effects, ({ kind, resourceId }) => `${kind} ${resourceId}`);
  return (
    <div className="@container flex flex-col gap-6">
      {[...groups.values()].map((effects) => (
        <EffectsOf
          key={`${effects[0]?.kind} ${effects[0]?.resourceId}`}
          effects={effects}
          histories={event.partialHistories}
          eventHref={eventHref}
        />
      ))}
    </div>
  );
}

function noEffectsWords({ state }: EventDetail): string {
  if (state === "pending") return "Not applied yet. Its effects will appear here shortly.";
  if (state === "failed") return "This event could not be applied, so it changed nothing.";
  return "This event type doesn't change any records.";
}

type EffectsOfProps = { effects: Effect[]; histories: EventDetail["partialHistories"]; eventHref: (id: string) => string };

function EffectsOf({ effects, histories, eventHref }: EffectsOfProps) {
  const [first] = effects;
  if (!first) return null;
  const partial = histories.find(({ kind, resourceId }) => kind === first.kind && resourceId === first.resourceId);
  const href = resourceHref({ kind: first.kind, id: first.resourceId });
  const changed = effects.filter((effect) => !isSame(effect));
  const same = effects.filter(isSame);
  const title = (
    <span className="flex min-w-0 items-center gap-2">
      {first.kind.charAt(0).toUpperCase() + first.kind.slice(1)}
      <ResourceName resource={{ id: first.resourceId, name: first.resourceName }} href={href} />
    </span>
  );
  return (
    <Section title={title} description={summaryOf(changed, same)}>
      {changed.length === 0 ? null : (
        <EffectRows label={`Changes to ${first.kind} ${first.resourceId}`} effects={changed} eventHref={eventHref} />
      )}
      {same.length === 0 ? null : (
        <details className="text-12 text-muted">
          <summary className="cursor-pointer rounded-sm">{countWords(same.length, "field")} already had this value</summary>
          <div className="pt-2">
            <EffectRows label={`Unchanged fields of ${first.kind} ${first.resourceId}`} effects={same} eventHref={eventHref} />
          </div>
        </details>
      )}
      {partial ? (
        <p className="text-12 text-muted">
          {coverageWords(partial)}: the full history is too large to read at once. Earlier values may come from an older event.
        </p>
      ) : null}
    </Section>
  );
}

const isSame = ({ before, value }: Effect) => before !== null && JSON.stringify(before.value) === JSON.stringify(value);

/** `6 fields changed, 2 replaced since`. */
function summaryOf(changed: Effect[], same: Effect[]): string {
  if (changed.length === 0)
    return same.length === 1 ? "No changes: the field already had this value." : "No changes: every field already had this value.";
  const overtaken = changed.filter(({ verdict }) => verdict === "overtaken").length;
  const passed = changed.filter(({ verdict }) => verdict === "passed_over").length;
  const parts = [
    `${countWords(changed.length - passed, "field")} changed`,
    overtaken > 0 ? `${overtaken} replaced since` : null,
    passed > 0 ? `${passed} ignored` : null,
  ];
  return `${parts.filter((words) => words !== null).join(", ")}.`;
}

type EffectRowsProps = { label: string; effects: Effect[]; eventHref: (id: string) => string };

function EffectRows({ label, effects, eventHref }: EffectRowsProps) {
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
