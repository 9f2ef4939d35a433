"use client";

import { useState } from "react";
import { tellOutcome } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { withFallback } from "#components/ui/layout/content-states";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Panel, Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Button, RowButton } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime, useNow } from "#components/ui/relative-time";
import { useRetention, useSetRetention } from "#lib/client/queries/maintenance";
import { useSources } from "#lib/client/queries/settings";
import { useChangeSource } from "#lib/client/queries/sources";
import type { Retention } from "#lib/contracts/events/retention";
import { goneBefore } from "#lib/contracts/events/retention-month";
import { HELD_DAYS } from "#lib/contracts/forwarding/delivery-states";
import type { Source } from "#lib/contracts/sources/sources";

export function RetentionPage({ canManage }: { canManage: boolean }) {
  const { data, fallback } = withFallback(useRetention(), { what: "retention settings", rows: 2 });
  return (
    <Section
      title="Retention"
      description="How long events, and requests in quarantine that verified, are kept. Documents, tasks and other records stay; a field whose event was deleted says so."
    >
      {!data ? (
        fallback
      ) : (
        <div className="flex flex-col gap-6">
          <Details retention={data} />
          {canManage ? <Choice key={data.days} retention={data} /> : null}
          <SourceRetention retention={data} canManage={canManage} />
        </div>
      )}
    </Section>
  );
}

function Details({ retention: { days, oldestReceivedAt, ...rest } }: { retention: Retention }) {
  return (
    <KeyValueList
      items={[
        {
          label: "Events are kept",
          value: `${daysWords(days)} after the end of their calendar month (UTC)`,
          hint: "Whole months are deleted, by a task that runs every hour.",
        },
        {
          label: "Deleted",
          value: `Events received before ${dayWords(new Date(rest.goneBefore))}`,
          hint: `Except those not applied yet, and for ${HELD_DAYS} days more those not sent to a destination yet.`,
        },
        { label: "Oldest event", value: oldestReceivedAt === null ? "None yet" : <RelativeTime at={oldestReceivedAt} /> },
      ]}
    />
  );
}

function Choice({ retention: { days, oldestReceivedAt } }: { retention: Retention }) {
  const [chosen, setChosen] = useState(days);
  const now = useNow();
  const save = useSetRetention();
  const before = goneBefore(chosen, new Date(now));
  const loses = oldestReceivedAt !== null && Date.parse(oldestReceivedAt) < before.getTime();
  const options = [...new Set([...RETENTION_CHOICES, days])]
    .sort((a, b) => a - b)
    .map((each) => ({ value: String(each), label: daysWords(each) }));
  const label = `Keep events for ${daysWords(chosen)}`;
  const button = (
    <Button variant="primary" disabled={chosen === days} loading={save.isPending}>
      {label}
    </Button>
  );
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label="Keep events for">
        <Select className="w-44" options={options} value={String(chosen)} onValueChange={(value) => setChosen(Number(value))} />
      </Field>
      <ConfirmDialog
        trigger={button}
        title={`${label}?`}
        description={
          loses
            ? deletedWords("Events", before)
            : `No event was received before ${dayWords(before)}, so none is deleted now. Older requests in quarantine are, if they verified.`
        }
        confirmLabel={label}
        danger={loses}
        onConfirm={() => save.mutateAsync({ days: chosen })}
        done={`Events are kept for ${daysWords(chosen)}`}
      />
    </div>
  );
}

type SourceRetentionProps = { retention: Retention; canManage: boolean };

function SourceRetention({ retention: { days }, canManage }: SourceRetentionProps) {
  const { data = [] } = useSources();
  const shorter = data.filter(({ retentionDays }) => retentionDays !== null);
  const others = data.filter(({ retentionDays }) => retentionDays === null);
  const choices = RETENTION_CHOICES.filter((each) => each < days);
  const canAdd = canManage && others.length > 0 && choices.length > 0;
  if (shorter.length === 0 && !canAdd) return null;
  return (
    <Section
      title="Shorter for a source"
      description="The events of a high-volume source can be deleted sooner. If an event ID arrives again after its event was deleted, it counts as a new event."
    >
      {shorter.length === 0 ? null : (
        <Panel>
          <ul className="divide-y divide-line">
            {shorter.map((source) => (
              <ShorterSource key={source.id} source={source} days={days} canManage={canManage} />
            ))}
          </ul>
        </Panel>
      )}
      {canAdd ? <AddShorter sources={others} choices={choices} /> : null}
    </Section>
  );
}

function ShorterSource({ source, days, canManage }: { source: Source; days: number; canManage: boolean }) {
  const { id, name, retentionDays } = source;
  const change = useChangeSource(id);
  const now = useNow();
  const kept = Math.min(retentionDays ?? days, days);
  const remove = () =>
    tellOutcome(
      change.mutateAsync({ retentionDays: null }),
      `Events of ${name} are kept for ${daysWords(days)}`,
      `Couldn't change how long events of ${name} are kept`,
    );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="min-w-0 flex-1 basis-40 truncate font-medium">{name}</span>
      <span className="text-13 text-muted" suppressHydrationWarning>
        {daysWords(kept)}; events received before {dayWords(goneBefore(kept, new Date(now)))} are deleted
      </span>
      {canManage ? (
        <RowButton aria-label={`Keep as long as the workspace: ${name}`} loading={change.isPending} onClick={remove}>
          Keep as long as the workspace
        </RowButton>
      ) : null}
    </li>
  );
}

function AddShorter({ sources, choices }: { sources: Source[]; choices: number[] }) {
  const [chosen, setChosen] = useState("");
  const [days, setDays] = useState(choices.at(-1) ?? 0);
  const now = useNow();
  const source = sources.find(({ id }) => id === chosen) ?? sources[0];
  const change = useChangeSource(source?.id ?? "");
  if (!source) return null;
  const label = `Keep ${source.name} for ${daysWords(days)}`;
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label="Source">
        <Select
          className="w-44"
          options={sources.map(({ id, name }) => ({ value: id, label: name }))}
          value={source.id}
          onValueChange={setChosen}
        />
      </Field>
      <Field label="Keep its events for">
        <Select
          className="w-32"
          options={choices.map((each) => ({ value: String(each), label: daysWords(each) }))}
          value={String(days)}
          onValueChange={(value) => setDays(Number(value))}
        />
      </Field>
      <ConfirmDialog
        trigger={<Button loading={change.isPending}>{label}</Button>}
        title={`${label}?`}
        description={deletedWords(`Events of ${source.name}`, goneBefore(days, new Date(now)))}
        confirmLabel={label}
        danger
        onConfirm={() => change.mutateAsync({ retentionDays: days })}
        done={`Events of ${source.name} are kept for ${daysWords(days)}`}
      />
    </div>
  );
}

const deletedWords = (events: string, before: Date) =>
  `${events}, and requests in quarantine that verified, are deleted within the hour if they were received before ${dayWords(before)}. This can't be undone.`;

const RETENTION_CHOICES = [7, 30, 90, 180, 365, 730, 1825, 3650];

/** Returns 90 as "90 days", 730 as "2 years". */
const daysWords = (days: number): string => (days % 365 === 0 ? (days === 365 ? "1 year" : `${days / 365} years`) : `${days} days`);

/** Returns a date as "1 November 2026", UTC. */
const dayWords = (at: Date): string => at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
