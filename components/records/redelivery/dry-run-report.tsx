import { shortId } from "#components/records/resource-id";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { TextLink } from "#components/ui/layout/text-link";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import { writeJson } from "#lib/contracts/json/exact-json";
import type { DryRunOutcome, DryRunSample } from "#lib/contracts/redeliveries";

const OUTCOMES = {
  would_change: { state: "working", word: "would change" },
  applied_already: { state: "fine", word: "already applied" },
  stale: { state: "neutral", word: "stale: replaced by later events" },
  no_view: { state: "neutral", word: "changes no record" },
  still_fails: { state: "failed", word: "still fails" },
} as const;

export function DryRunReport({ outcome }: { outcome: DryRunOutcome }) {
  return (
    <section aria-label="Dry run" className="flex flex-col gap-3 rounded-md border border-line p-3">
      <p role="status" className="text-13 font-medium">
        {sentence(outcome)}
      </p>
      <ul className="flex flex-col gap-3">
        {outcome.samples.map((sample) => (
          <li key={sample.eventId} className="flex flex-col gap-1 text-12">
            <p className="flex flex-wrap items-center gap-2">
              <StateIcon state={OUTCOMES[sample.outcome].state} />
              <TextLink href={`/events/${encodeURIComponent(sample.eventId)}`}>
                <span className="font-mono">{shortId(sample.eventId, 24)}</span>
              </TextLink>
              <span className="text-muted">{`${sample.type}, ${OUTCOMES[sample.outcome].word}`}</span>
            </p>
            {sample.reason === null ? null : <p className="text-failed">{sample.reason}</p>}
            <Changes changes={sample.changes} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function sentence({ wouldChange, appliedAlready, stale, noView, stillFails, untried }: DryRunOutcome): string {
  const parts = [
    `${formatNumber(wouldChange)} would change`,
    `${formatNumber(appliedAlready)} already applied`,
    `${formatNumber(stale)} stale`,
  ];
  if (noView > 0) parts.push(countWords(noView, "changes no record", "change no record"));
  parts.push(countWords(stillFails, "still fails", "still fail"));
  if (untried > 0) parts.push(`${formatNumber(untried)} not checked: too large to check at once`);
  return parts.join(", ");
}

const SHOWN = 6;

function Changes({ changes }: Pick<DryRunSample, "changes">) {
  if (changes.length === 0) return null;
  return (
    <table className="ml-6 text-left">
      <thead className="sr-only">
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.slice(0, SHOWN).map(({ kind, resourceId, field, before, after }) => (
          <tr key={`${kind} ${resourceId} ${field}`}>
            <th scope="row" className="pr-3 align-top font-normal text-muted">{`${kind} ${field}`}</th>
            <td className="max-w-40 truncate pr-3 align-top font-mono text-muted line-through">{text(before)}</td>
            <td className="max-w-48 truncate align-top font-mono">{text(after)}</td>
          </tr>
        ))}
      </tbody>
      {changes.length > SHOWN ? (
        <caption className="caption-bottom pt-1 text-left text-faint">{`and ${formatNumber(changes.length - SHOWN)} more fields`}</caption>
      ) : null}
    </table>
  );
}

const text = (value: unknown) => (value === null || value === undefined ? "not set" : typeof value === "string" ? value : writeJson(value));
