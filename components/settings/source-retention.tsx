import { useState } from "react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Panel } from "#components/ui/layout/panel";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { useNow } from "#components/ui/time/clock";
import { useSources } from "#lib/client/queries/auth/settings";
import { useChangeSource } from "#lib/client/queries/sources/sources";
import { goneBefore, type Retention } from "#lib/contracts/events/retention";
import type { Source } from "#lib/contracts/sources/sources";
import { daysWords, dayWords, RETENTION_CHOICES } from "./retention-days.tsx";

type SourceRetentionProps = { retention: Retention; canManage: boolean };

export function SourceRetention({ retention: { days }, canManage }: SourceRetentionProps) {
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
      () => toast.success(`Events of ${name} are kept for ${daysWords(days)}`),
      `Couldn't change how long events of ${name} are kept`,
    );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="min-w-0 flex-1 basis-40 truncate font-medium">{name}</span>
      <span className="text-13 text-muted" suppressHydrationWarning>
        {daysWords(kept)}; deleted: everything received before {dayWords(goneBefore(kept, new Date(now)))}
      </span>
      {canManage ? (
        <Button size="sm" variant="ghost" aria-label={`Keep as long as the workspace: ${name}`} loading={change.isPending} onClick={remove}>
          Keep as long as the workspace
        </Button>
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
        description={`Events of ${source.name} received before ${dayWords(goneBefore(days, new Date(now)))} are deleted within the hour. This can't be undone.`}
        confirmLabel={label}
        danger
        onConfirm={async () => {
          await change.mutateAsync({ retentionDays: days });
          toast.success(`Events of ${source.name} are kept for ${daysWords(days)}`);
        }}
      />
    </div>
  );
}
