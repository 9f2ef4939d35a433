"use client";

import { useState } from "react";
import { Button } from "#components/ui/button";
import { useNow } from "#components/ui/clock";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { Field } from "#components/ui/field";
import { KeyValueList } from "#components/ui/key-value-list";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { Select } from "#components/ui/select";
import { toast } from "#components/ui/toast";
import { useRetention, useSetRetention } from "#lib/client/retention";
import { goneBefore, type Retention } from "#lib/contracts/retention";

const CHOICES = [7, 30, 90, 180, 365, 730, 1825, 3650];

/** 90 as "90 days", 730 as "2 years". */
const policyWords = (days: number) => (days % 365 === 0 ? (days === 365 ? "1 year" : `${days / 365} years`) : `${days} days`);

const dayWords = (at: Date) => at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** How long the workspace keeps its events. */
export function RetentionPage({ canManage }: { canManage: boolean }) {
  const { data, error, isPending, refetch } = useRetention();
  return (
    <Section
      title="Retention"
      description="How long events stay in the log. Documents, tasks and the other views stay; they then say that the event which set a field has gone."
    >
      {isPending ? (
        <LoadingState what="the retention" rows={2} />
      ) : !data ? (
        <ErrorState what="the retention" error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="flex flex-col gap-6">
          <Facts retention={data} />
          {canManage ? <Choice key={data.days} retention={data} /> : null}
        </div>
      )}
    </Section>
  );
}

function Facts({ retention: { days, oldestReceivedAt, ...rest } }: { retention: Retention }) {
  return (
    <KeyValueList
      items={[
        {
          label: "Events are kept",
          value: `${policyWords(days)}, and up to a month longer`,
          hint: "They leave by the calendar month (UTC).",
        },
        { label: "Gone", value: `All that was received before ${dayWords(new Date(rest.goneBefore))}` },
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
  const options = [...new Set([...CHOICES, days])].sort((a, b) => a - b).map((each) => ({ value: String(each), label: policyWords(each) }));
  async function submit() {
    await save.mutateAsync(chosen);
    toast.success(`Events are kept for ${policyWords(chosen)}`);
  }
  const words = `Keep events for ${policyWords(chosen)}`;
  const button = (
    <Button variant="primary" disabled={chosen === days} loading={save.isPending}>
      {words}
    </Button>
  );
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label="Keep events for">
        <Select className="w-44" options={options} value={String(chosen)} onValueChange={(value) => setChosen(Number(value))} />
      </Field>
      <ConfirmDialog
        trigger={button}
        title={`${words}?`}
        description={
          loses
            ? `Events received before ${dayWords(before)} are deleted within the hour. This can't be taken back.`
            : "Nothing is deleted now: no event is older than that."
        }
        confirmLabel={words}
        danger={loses}
        onConfirm={submit}
      />
    </div>
  );
}
