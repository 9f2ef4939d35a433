"use client";

import { ResourceName } from "#components/records/resource-name";
import { Section } from "#components/ui/layout/section";
import { coverageWords } from "#lib/client/format/history-coverage";
import { resourceHref } from "#lib/client/format/resource-links";
import { countWords } from "#lib/contracts/counts/format-count";
import type { Effect, EventDetail } from "#lib/contracts/events/events";
import { EffectRows } from "./effect-rows.tsx";

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
