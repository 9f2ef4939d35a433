import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { DeliveryTable } from "#components/records/delivery-table";
import { FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { OperationProgress } from "#components/records/operation-progress";
import { Field, Form, FormButtons } from "#components/ui/form";
import { LoadingState } from "#components/ui/layout/content-states";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/section";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { deliveriesQuery, retriesDryRunQuery, useStartRetries } from "#lib/client/queries/destinations";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { newestOperationQuery, operationQuery } from "#lib/client/queries/operations";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";
import type { DestinationState } from "#lib/contracts/forwarding/destinations";
import { DELIVERY_FILTERS, type DeliveryGroup, STATES_OF } from "#lib/contracts/list-filters";
import { isUnderWay } from "#lib/contracts/operation-states";
import type { Operation } from "#lib/contracts/operations";
import { OUTCOME_LABELS, openWord } from "./destination-labels.tsx";

type Retried = { states: DeliveryRetriesBody["filter"]["state"]; label: string };

/** Groups of deliveries that can be sent again at once. */
const RETRIED: Partial<Record<DeliveryGroup, Retried>> = {
  exhausted: { states: ["exhausted"], label: "exhausted" },
  skipped: { states: ["skipped", "cancelled"], label: "skipped" },
};

type DeliveriesSectionProps = {
  destinationId: string;
  canManage: boolean;
  state: DestinationState;
};

export function DeliveriesSection({ destinationId, canManage, state }: DeliveriesSectionProps) {
  const filters = filtersOf(state);
  const { filter, setFilter } = useUrlFilter(filters);
  const group = filter.state;
  const states = group === undefined ? [] : STATES_OF[group];
  const retried = group === undefined ? undefined : RETRIED[group];
  const query = useInfiniteQuery(deliveriesQuery({ destination: destinationId, states }));
  const { rows: deliveries, fallback } = paged(query, { what: "the deliveries", loading: "deliveries", rows: 5 });
  return (
    <div className="flex flex-col gap-3">
      <NewestRetry allowed={canManage} />
      <FilterRow
        what="deliveries"
        filters={filters}
        filter={filter}
        onChange={setFilter}
        menus={
          canManage && retried ? (
            <RetryDeliveries
              key={group}
              destination={destinationId}
              {...retried}
              offered={deliveries.length > 0}
              primary={state === "active" && group === "exhausted"}
            />
          ) : null
        }
      />
      {deliveries.length > 0 ? (
        <>
          <DeliveryTable deliveries={deliveries} label="Deliveries to this destination, newest first" by="event" />
          <LoadOlder query={query} className="self-start" />
        </>
      ) : (
        (fallback ?? (
          <p className="py-6 text-center text-13 text-muted">
            {group === undefined ? "No deliveries yet. Events that are received from now on appear here." : "No deliveries in this state."}
          </p>
        ))
      )}
    </div>
  );
}

/** Calls the deliveries that are not sent yet as the page does. */
const filtersOf = (state: DestinationState) => ({
  ...DELIVERY_FILTERS,
  state: { ...DELIVERY_FILTERS.state, choices: { ...DELIVERY_FILTERS.state.choices, pending: openWord(state) } },
});

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
  ...(Object.keys(OUTCOME_LABELS) as AttemptOutcome[])
    .filter((value) => value !== "delivered")
    .map((value) => ({ value, label: OUTCOME_LABELS[value] })),
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
function RetryDeliveries({ destination, states, label, offered, primary }: RetryDeliveriesProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Send ${label} deliveries again`}
      description="Their attempts start over. Your application can recognise repeats by their webhook-id."
      {...(offered && {
        trigger: (
          <Button size="sm" variant={primary ? "primary" : "secondary"} icon={<RotateCw />}>
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
    ...(outcome !== ANY && { outcome: [outcome as AttemptOutcome] }),
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

function RetryProgress({ operation, allowed }: { operation: Operation; allowed: boolean }) {
  const { queued = 0, skipped = 0 } = operation.counts;
  return (
    <OperationProgress operation={operation} allowed={allowed} unit={["delivery", "deliveries"]}>
      {isUnderWay(operation) ? null : (
        <p className="text-13">
          {formatNumber(queued)} {queued === 1 ? "is" : "are"} queued again
          {skipped > 0 ? `, ${countWords(skipped, "delivery", "deliveries")} that changed in the meantime left unchanged` : ""}.
        </p>
      )}
    </OperationProgress>
  );
}

/** Shows the newest retry while it runs, and after it was stopped or has failed. */
function NewestRetry({ allowed }: { allowed: boolean }) {
  const queries = useQueryClient();
  const { data } = useQuery(newestOperationQuery("retry"));
  const state = data?.state;
  useEffect(() => {
    if (state === "finished") void invalidate(queries, KEYS.deliveries, KEYS.destination, KEYS.destinations);
  }, [state, queries]);
  if (!data || data.state === "finished") return null;
  return (
    <Panel>
      <PanelHeader title="Sending deliveries again" hint="Deliveries already started continue." />
      <PanelBody>
        <RetryProgress operation={data} allowed={allowed} />
      </PanelBody>
    </Panel>
  );
}
