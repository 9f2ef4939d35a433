"use client";

import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { usePreviewFilter } from "#lib/client/queries/forwarding/destinations";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { FilterPreview, FilterPreviewBody } from "#lib/contracts/forwarding/destinations";

export function FilterPreviewPanel({ body }: { body: FilterPreviewBody }) {
  const preview = usePreviewFilter();
  // A preview is valid only for the settings that it was requested for: a change of them hides it.
  const isCurrent = JSON.stringify(preview.variables) === JSON.stringify(body);
  return (
    <div className="flex flex-col gap-2">
      <Button size="sm" className="self-start" loading={preview.isPending} onClick={() => preview.mutate(body)}>
        Preview with recent events
      </Button>
      {preview.error && isCurrent ? <p className="text-12 text-failed">{preview.error.message}</p> : null}
      {preview.data && isCurrent ? <Result preview={preview.data} /> : null}
    </div>
  );
}

function Result({ preview: { matching, tooCostly, of, cutShort, examples } }: { preview: FilterPreview }) {
  if (of === 0) return <p className="text-12 text-muted">There are no events yet to preview with.</p>;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md border border-line p-3">
      <p className="text-13">
        Matches <strong className="font-medium">{formatNumber(matching)}</strong> of the last {formatNumber(of)} events
      </p>
      {cutShort ? (
        <p className="text-12 text-muted">Fewer than 1,000 were checked: the events are large, or the filter makes many comparisons.</p>
      ) : null}
      {tooCostly > 0 ? (
        <p className="text-12 text-failed">
          Too costly for {formatNumber(tooCostly)}: these are not sent and are listed as exhausted. Simplify the filter, or use $in instead
          of $or.
        </p>
      ) : null}
      <div className="grid gap-3 min-[480px]:grid-cols-2">
        <Examples title="Would be sent" events={examples.matching} />
        <Examples title="Would not be sent" events={examples.other} />
      </div>
    </div>
  );
}

function Examples({ title, events }: { title: string; events: FilterPreview["examples"]["matching"] }) {
  return (
    <div className="min-w-0">
      <p className="text-12 text-muted">{title}</p>
      {events.length === 0 ? <p className="text-12 text-faint">None</p> : null}
      <ul>
        {events.map(({ id, type, receivedAt }) => (
          <li key={`${id} ${receivedAt}`} className="truncate text-12" title={id}>
            {type} <RelativeTime at={receivedAt} className="text-faint" />
          </li>
        ))}
      </ul>
    </div>
  );
}
