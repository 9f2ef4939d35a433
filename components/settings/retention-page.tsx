"use client";

import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { useNow } from "#components/ui/time/clock";
import { RelativeTime } from "#components/ui/time/relative-time";
import { useRetention, useSetRetention } from "#lib/client/queries/retention";
import { goneBefore, type Retention } from "#lib/contracts/events/retention";
import { daysWords, dayWords, RETENTION_CHOICES } from "./retention-days.tsx";
import { SourceRetention } from "./source-retention.tsx";

export function RetentionPage({ canManage }: { canManage: boolean }) {
  const { data, error, isPending, refetch } = useRetention();
  return (
    <Section
      title="Retention"
      description="How long events are kept. Documents, tasks and other records are kept, and show when the event that set a field has been deleted."
    >
      {isPending ? (
        <LoadingState what="retention settings" rows={2} />
      ) : !data ? (
        <ErrorState what="retention settings" error={error} onRetry={() => void refetch()} />
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
          value: `${daysWords(days)}, and up to a month longer`,
          hint: "Deleted by calendar month (UTC).",
        },
        { label: "Deleted", value: `Everything received before ${dayWords(new Date(rest.goneBefore))}` },
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
  async function submit() {
    await save.mutateAsync(chosen);
    toast.success(`Events are kept for ${daysWords(chosen)}`);
  }
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
            ? `Events received before ${dayWords(before)} are deleted within the hour. This can't be undone.`
            : "Nothing is deleted now: no event is older."
        }
        confirmLabel={label}
        danger={loses}
        onConfirm={submit}
      />
    </div>
  );
}
