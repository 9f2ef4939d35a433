import { CircleCheck, RotateCw } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { toast } from "#components/ui/feedback/toast";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { useKeepFocus } from "#components/ui/overlay/focus";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { PageLink, TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { useMoveIssues } from "#lib/client/queries/issues";
import { filterHref } from "#lib/client/url-filter";
import { MAX_REPEATS } from "#lib/contracts/api/filters";
import { visible } from "#lib/contracts/api/plain-text";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { movedWords } from "#lib/contracts/issue-filters";
import type { RootCause } from "#lib/contracts/issues";
import { eventsWords } from "./issue-state.tsx";

const RedeliverDialog = lazyComponent(() => import("#components/records/redeliver-dialog").then((module) => module.RedeliverDialog));

export type IssueRights = { manage: boolean; redeliver: boolean; snooze: boolean; mapFields: boolean };

export function RootCauses({ causes, rights }: { causes: RootCause[]; rights: IssueRights }) {
  return (
    <Section title={causes.length === 1 ? "Root cause" : "Root causes"}>
      <ul aria-label="Root causes, the most failed events first" className="flex flex-col gap-3">
        {causes.map((cause) => (
          <Cause key={cause.id} cause={cause} rights={rights} />
        ))}
      </ul>
    </Section>
  );
}

function Cause({ cause, rights }: { cause: RootCause; rights: IssueRights }) {
  const { title, why, fix, failing, source, beganAt, fields, issues } = cause;
  const item = useKeepFocus<HTMLLIElement>();
  const action = fields.length > 0 ? rights.mapFields && <MapFields cause={cause} /> : rights.redeliver && <Redeliver cause={cause} />;
  return (
    <li ref={item} data-row className="flex flex-col gap-3 rounded-md border border-failed-line bg-failed-surface px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <StateIcon state="failed" className="mt-1" />
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="break-words text-14 font-medium">
            <PageLink href={eventsHref(cause)} data-row-link className="hover:underline">
              {title}
            </PageLink>
          </h3>
          <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-1 text-12 text-muted">
            <span className="font-medium text-text tabular-nums">{eventsWords(failing)}</span>
            <span>
              began <RelativeTime at={beganAt} />
            </span>
            <span>source {source.name}</span>
          </p>
          <p className="mt-1 max-w-[100ch] break-words text-13">{fields.length > 0 ? `Missing: ${fieldsWords(fields)}.` : why}</p>
          {fields.length > 0 ? null : <p className="max-w-[100ch] break-words text-13">{fix}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {action}
          {rights.manage ? <ResolveAll cause={cause} /> : null}
          {action && issues.length > MAX_REPEATS ? <p className="basis-full text-12 text-muted">{firstWords(cause)}</p> : null}
        </div>
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-13 text-muted">{`Show ${countWords(issues.length, "issue")}`}</summary>
        <ul className="mt-2 flex flex-col border-t border-line">
          {issues.map(({ id, what, failing: events }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-1.5 text-13">
              <TextLink href={`/issues/${id}`} className="min-w-0 break-words">
                {visible(what)}
              </TextLink>
              <span className="text-12 text-muted tabular-nums">{eventsWords(events)}</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

const fieldsWords = (fields: RootCause["fields"]) =>
  fields
    .map(({ label, failing, moved }) => `${label} (${[formatNumber(failing), moved ? movedWords(moved) : []].flat().join(": ")})`)
    .join(", ");

/** A filter takes at most `MAX_REPEATS` issues: those with the most failed events. */
const takenOf = ({ issues }: RootCause) => issues.slice(0, MAX_REPEATS);

const firstWords = ({ fields, issues }: RootCause) =>
  `${fields.length > 0 ? "Map fields" : "Re-deliver"} takes the first ${MAX_REPEATS} of ${countWords(issues.length, "issue")}.`;

const eventsHref = (cause: RootCause) =>
  filterHref("/events", EVENT_FILTERS, { issue: takenOf(cause).map(({ id }) => id), source: cause.source.name, state: ["failed"] });

function MapFields({ cause }: { cause: RootCause }) {
  const query = new URLSearchParams(takenOf(cause).map(({ id }) => ["issue", id]));
  return (
    <LinkButton variant="primary" href={`/settings/field-mapping?${query}`}>
      Map fields
    </LinkButton>
  );
}

function Redeliver({ cause }: { cause: RootCause }) {
  const [open, setOpen] = useState(false);
  const taken = takenOf(cause);
  const count = taken.reduce((all, { failing }) => all + failing, 0);
  const filter = { issue: taken.map(({ id }) => id), source: cause.source.name, state: ["failed" as const] };
  return (
    <>
      <Button variant="primary" icon={<RotateCw />} onClick={() => setOpen(true)}>
        {`Re-deliver ${eventsWords(count)}`}
      </Button>
      {open ? <RedeliverDialog dryRunFirst set={{ filter }} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ResolveAll({ cause: { issues, title } }: { cause: RootCause }) {
  const [asking, setAsking] = useState(false);
  const move = useMoveIssues();
  const words = countWords(issues.length, "issue");
  return (
    <>
      <Button data-on-key="e" icon={<CircleCheck />} onClick={() => setAsking(true)}>{`Resolve ${words}`}</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Resolve ${words}?`}
        description={`${title}. The events stay failed and are not re-delivered. An issue reopens if it recurs.`}
        confirmLabel={`Resolve ${words}`}
        onConfirm={async () => {
          const { changed } = await move.mutateAsync({ ids: issues.map(({ id }) => id), action: "resolve" });
          toast.success(`Resolved ${countWords(changed.length, "issue")}`);
        }}
      />
    </>
  );
}
