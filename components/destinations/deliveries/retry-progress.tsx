"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { OperationProgress } from "#components/records/operation-progress";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { newestOperationQuery } from "#lib/client/queries/operations";
import { formatNumber } from "#lib/contracts/counts/format-count";
import { isUnderWay } from "#lib/contracts/operations/operation-states";
import type { Operation } from "#lib/contracts/operations/operations";

export function RetryProgress({ operation, allowed }: { operation: Operation; allowed: boolean }) {
  const { queued = 0, skipped = 0 } = operation.counts;
  return (
    <OperationProgress operation={operation} allowed={allowed} unit="deliveries">
      {isUnderWay(operation) ? null : (
        <p className="text-13">
          {formatNumber(queued)} {queued === 1 ? "is" : "are"} queued again
          {skipped > 0 ? `, ${formatNumber(skipped)} changed in the meantime and were left unchanged` : ""}.
        </p>
      )}
    </OperationProgress>
  );
}

/** Shows the newest retry while it runs, and after it was stopped or has failed. */
export function NewestRetry({ allowed }: { allowed: boolean }) {
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
