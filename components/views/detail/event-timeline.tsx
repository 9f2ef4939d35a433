import { ResourceName } from "#components/records/resource-id";
import { CopyIcon } from "#components/ui/copy-icon";
import { Section } from "#components/ui/layout/section";
import { Timeline } from "#components/ui/lists/timeline";
import type { State } from "#components/ui/primitives/badge";
import { TextLink } from "#components/ui/primitives/page-link";
import { ExactTime } from "#components/ui/relative-time";
import { byPlatformTime } from "#components/views/time/moments";
import { eventsHref, isViewKind, KIND_WORDS, lineOf, shareWords, sizeWords, stateWord, viewHref } from "#components/views/view-labels";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventSummary } from "#lib/contracts/events/events";
import type { TimelineChange, TimelineEntry, ViewDetail, ViewTimeline } from "#lib/contracts/views";
import { fieldForm, fieldLabel } from "./field-labels.tsx";

const SHOWN = 100;
const CHANGES_SHOWN = 4;

/** Lists a record's events, newest first by the platform's clock; a document's include those of its tasks. */
export function EventTimeline({ view, timeline }: { view: ViewDetail; timeline: ViewTimeline | undefined }) {
  const entries = timeline?.data ?? byPlatformTime(view.events).map((event) => ({ event, record: view, changes: [] }));
  return (
    <Section title="Events" actions={<TextLink href={eventsHref(view.kind, view.id)}>Open in Events</TextLink>}>
      {entries.length === 0 ? (
        <p className="text-13 text-muted">
          Its events were deleted by retention. Their data is kept.{timeline?.knownFrom ? <KnownFrom at={timeline.knownFrom} /> : null}
        </p>
      ) : (
        <Timeline label="Events, newest first" items={entries.map((entry) => itemOf(entry, view))} />
      )}
      {entries.length === 0 || !(timeline?.knownFrom || view.forgotten.length > 0) ? null : (
        <p className="text-12 text-muted">
          Older events were deleted by retention. Their data is kept.
          {timeline?.knownFrom ? <KnownFrom at={timeline.knownFrom} /> : null}
        </p>
      )}
      {view.events.length < SHOWN ? null : <p className="text-12 text-muted">Showing the latest {SHOWN}. Open in Events to see all.</p>}
    </Section>
  );
}

const KnownFrom = ({ at }: { at: string }) => (
  <>
    {" "}
    Earlier values are known from <ExactTime at={at} /> on.
  </>
);

const itemOf = ({ event, record, changes }: TimelineEntry, view: ViewDetail) => ({
  key: `${event.source} ${event.id}`,
  state: stateOf(event),
  title: (
    <span className="group/id inline-flex items-center gap-1.5 leading-6" title={event.id}>
      <TextLink href={`/events/${encodeURIComponent(event.id)}`}>{visible(event.title)}</TextLink>
      <CopyIcon value={event.id} className="group-hover/id:opacity-100" />
    </span>
  ),
  at: <ExactTime at={event.created} />,
  detail: (
    <span className="flex min-w-0 flex-col text-12">
      {record.id === view.id && record.kind === view.kind ? null : <Of record={record} />}
      <Changes changes={changes} />
      {noteOf(event)}
    </span>
  ),
});

/** Names a record other than the page's: the task that a document became. */
function Of({ record }: { record: TimelineEntry["record"] }) {
  const kind = isViewKind(record.kind) ? record.kind : null;
  return (
    <span className="flex min-w-0 items-center gap-1">
      {kind === null ? record.kind : KIND_WORDS[kind].one}{" "}
      <ResourceName resource={record} href={kind && viewHref(kind, record.id)} className="leading-6" />
    </span>
  );
}

function Changes({ changes }: Pick<TimelineEntry, "changes">) {
  const words = changeWords(changes);
  const more = words.length - CHANGES_SHOWN;
  return (
    <>
      {words.slice(0, CHANGES_SHOWN).map((line) => (
        <span key={line} data-change>
          {line}
        </span>
      ))}
      {more > 0 ? <span className="text-faint">and {more} more</span> : null}
    </>
  );
}

function stateOf({ state, reportsFailure }: EventSummary): State {
  if (state === "failed") return "failed";
  if (state === "pending") return "working";
  return reportsFailure || state === "unrecognised" ? "attention" : "fine";
}

/** Returns a note for people who can't tell the icon's colour. */
function noteOf({ state, reportsFailure }: EventSummary): string | null {
  if (state === "failed") return "Could not be applied";
  if (state === "pending") return "Waiting to be applied";
  if (state === "unrecognised") return "Unknown type";
  return reportsFailure ? "Reports a failure" : null;
}

const LONGEST = 60;
const PASSED_OVER = /^(data\.|stage:|fromStage$|metadata$)/;

/** Returns changes as "Stage: Approval to Paid". Times and names of other records are left out, because they are shown next to it. */
export const changeWords = (changes: readonly TimelineChange[]): string[] =>
  changes.flatMap((change) => {
    const form = fieldForm(change.field);
    if (PASSED_OVER.test(change.field) || form === "time" || form === "document" || form === "pipeline" || form === "automation") return [];
    return [`${fieldLabel(change.field)}: ${sides(change)}`];
  });

function sides({ field, before, after }: TimelineChange): string {
  const [was, is] = [valueWords(field, before), valueWords(field, after)];
  if (is === null) return "cleared";
  return was === null ? is : `${was} to ${is}`;
}

function valueWords(field: string, value: unknown): string | null {
  const form = fieldForm(field);
  if (form === "state" && typeof value === "string") return stateWord(value);
  const line = form === "size" ? sizeWords(value) : form === "share" ? shareWords(value) : lineOf(value);
  return line !== null && line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
