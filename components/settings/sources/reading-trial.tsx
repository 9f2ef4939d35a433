import { ResourceId } from "#components/records/resource-id";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { RelativeTime } from "#components/ui/time/relative-time";
import type { useTryReading } from "#lib/client/queries/sources/sources";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { PreviewedRequest, ReadingPreview } from "#lib/contracts/sources/reading-preview";

export function ReadingTrial({ trial: { data, error } }: { trial: ReturnType<typeof useTryReading> }) {
  if (error) return <ProblemNotice announce what="Couldn't try it" why={error.message} />;
  if (!data) return null;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-13">
        {summaryOf(data)}
      </p>
      <ul className="flex max-h-64 flex-col divide-y divide-line overflow-y-auto rounded-md border border-line empty:hidden" tabIndex={-1}>
        {data.requests.map((request) => (
          <Tried key={`${request.kind} ${request.id}`} request={request} />
        ))}
      </ul>
    </div>
  );
}

function summaryOf({ requests, changed, failing }: ReadingPreview): string {
  if (requests.length === 0) return "Nothing to try it on yet: no event and no verified request in quarantine.";
  const read = requests.length - failing;
  return `${formatNumber(read)} of ${formatNumber(requests.length)} recent requests would be events; ${formatNumber(changed)} would be read differently.`;
}

function Tried({ request: { kind, id, receivedAt, after, events, failure } }: { request: PreviewedRequest }) {
  const href = kind === "event" ? `/events/${encodeURIComponent(id)}` : `/quarantine/${encodeURIComponent(id)}`;
  return (
    <li className="flex flex-col gap-0.5 px-3 py-2 text-12">
      <span className="flex flex-wrap gap-x-2 text-muted">
        {kind === "quarantined" ? "Quarantined" : "Stored"}
        <ResourceId id={id} href={href} />
        <RelativeTime at={receivedAt} />
      </span>
      {after === null ? (
        <span className="text-failed">{failure}</span>
      ) : (
        <span className="break-all font-mono">
          {after.type} · {after.id}
          {events > 1 ? ` and ${formatNumber(events - 1)} more` : ""}
        </span>
      )}
    </li>
  );
}
