"use client";

import { EffectRows } from "#components/events/effect-rows";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import { resourceHref } from "#lib/client/resource-links";
import type { Effect, EventDetail } from "#lib/contracts/events";

type EffectsTabProps = { event: EventDetail; eventHref: (id: string) => string };

/** What the event set in each view: before it, with it, and whether that still stands. */
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
  const changed = effects.filter((effect) => !isSame(effect));
  const same = effects.filter(isSame);
  const title = (
    <span className="flex min-w-0 items-center gap-2">
      {first.kind.charAt(0).toUpperCase() + first.kind.slice(1)}
      <ResourceId id={first.resourceId} {...(href === null ? {} : { href })} />
    </span>
  );
  return (
    <Section title={title} description={summaryOf(changed, same)}>
      {changed.length === 0 ? null : (
        <EffectRows label={`What it changed in ${first.kind} ${first.resourceId}`} effects={changed} eventHref={eventHref} />
      )}
      {same.length === 0 ? null : (
        <details className="text-12 text-muted">
          <summary className="cursor-pointer rounded-sm">
            {same.length === 1 ? "1 field" : `${same.length} fields`} set again to what stood already
          </summary>
          <div className="pt-2">
            <EffectRows label={`What it confirmed in ${first.kind} ${first.resourceId}`} effects={same} eventHref={eventHref} />
          </div>
        </details>
      )}
      {first.beforeKnown ? null : (
        <p className="text-12 text-muted">This record has so many events that what stood before was read from the last 2,000 of them.</p>
      )}
    </Section>
  );
}

const isSame = ({ before, value }: Effect) => before !== null && JSON.stringify(before.value) === JSON.stringify(value);

/** `6 fields changed, 2 of them overtaken since`. */
function summaryOf(changed: Effect[], same: Effect[]): string {
  if (changed.length === 0) return `It changed nothing: all ${same.length === 1 ? "it set" : "that it set"} stood already.`;
  const overtaken = changed.filter(({ verdict }) => verdict === "overtaken").length;
  const passed = changed.filter(({ verdict }) => verdict === "passed_over").length;
  const parts = [
    `${changed.length - passed} ${changed.length - passed === 1 ? "field" : "fields"} changed`,
    overtaken > 0 ? `${overtaken} of them overtaken since` : null,
    passed > 0 ? `${passed} did not count` : null,
  ];
  return `${parts.filter((words) => words !== null).join(", ")}.`;
}
