"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { LoadingState } from "#components/ui/layout/empty-state";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { retriesDryRunQuery, useStartRetries } from "#lib/client/queries/forwarding/retries";
import { operationQuery } from "#lib/client/queries/operations";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import { attemptOutcome } from "#lib/contracts/forwarding/deliveries";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";
import { isUnderWay } from "#lib/contracts/operations/operation-states";
import { OUTCOME_LABELS } from "../destination-labels.tsx";
import { RetryProgress } from "./retry-progress.tsx";

type Filter = DeliveryRetriesBody["filter"];

const ANY = "any";
const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: ANY, label: "Any time" },
  { value: String(HOUR_MS), label: "Last hour" },
  { value: String(24 * HOUR_MS), label: "Last 24 hours" },
  { value: String(7 * 24 * HOUR_MS), label: "Last 7 days" },
];
const REASONS = [
  { value: ANY, label: "Any reason" },
  ...attemptOutcome.options.filter((value) => value !== "delivered").map((value) => ({ value, label: OUTCOME_LABELS[value] })),
];

type RetryDeliveriesProps = {
  destination: string;
  states: Filter["state"];
  label: string;
  /** True if the button is shown. An open window stays, even when nothing is left to send. */
  offered: boolean;
  primary: boolean;
};

/** Counts the deliveries first; a worker then sends them. */
export function RetryDeliveries({ destination, states, label, offered, primary }: RetryDeliveriesProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Send ${label} deliveries again`}
      description="Their attempts start over. Your application can recognise repeats by their webhook-id."
      {...(offered && {
        trigger: (
          <Button size="sm" variant={primary ? "primary" : "secondary"} icon={<RotateCw aria-hidden />}>
            Send {label} again
          </Button>
        ),
      })}
    >
      {open ? <RetryForm destination={destination} states={states} close={() => setOpen(false)} /> : null}
    </Dialog>
  );
}

function RetryForm({ destination, states, close }: Pick<RetryDeliveriesProps, "destination" | "states"> & { close: () => void }) {
  const [outcome, setOutcome] = useState(ANY);
  const [period, setPeriod] = useState(ANY);
  const [openedAt] = useState(() => Date.now());
  const start = useStartRetries();
  const filter: Filter = {
    destination,
    state: states,
    ...(outcome !== ANY && { outcome: [attemptOutcome.parse(outcome)] }),
    ...(period !== ANY && { from: new Date(openedAt - Number(period)).toISOString() }),
  };
  const dryRun = useQuery({ ...retriesDryRunQuery(filter), enabled: !start.isSuccess });
  const count = dryRun.data?.deliveries ?? 0;
  if (start.data) return <Started id={start.data.id} close={close} />;
  return (
    <Form failed="Couldn't start" error={start.error} onSubmit={() => start.mutate(filter)}>
      <div className="grid grid-cols-2 gap-3">
        {states.includes("exhausted") ? (
          <Field label="Last attempt">
            <Select options={REASONS} value={outcome} onValueChange={setOutcome} />
          </Field>
        ) : null}
        <Field label="Event received">
          <Select options={PERIODS} value={period} onValueChange={setPeriod} />
        </Field>
      </div>
      <p role="status" className="text-13 tabular-nums">
        {dryRun.error ? `Couldn't count them: ${dryRun.error.message}` : dryRun.data ? matchWords(count) : "Counting…"}
      </p>
      <FormButtons
        submitLabel={`Send ${formatNumber(count)} again`}
        pending={start.isPending}
        disabled={count === 0 || dryRun.isPlaceholderData}
        onCancel={close}
      />
    </Form>
  );
}

const matchWords = (count: number) =>
  count === 0 ? "No delivery matches." : `${countWords(count, "delivery matches", "deliveries match")}. Nothing has been sent yet.`;

function Started({ id, close }: { id: string; close: () => void }) {
  const { data } = useQuery(operationQuery(id));
  return (
    <div className="flex flex-col gap-3">
      {data ? <RetryProgress operation={data} allowed /> : <LoadingState what="the progress" rows={1} />}
      {data && !isUnderWay(data) ? null : <p className="text-13 text-muted">This runs in the background. You can close this window.</p>}
      <Button className="self-end" onClick={close}>
        Close
      </Button>
    </div>
  );
}
