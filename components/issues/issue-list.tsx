import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { StateBadge, StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { visible } from "#lib/contracts/api/plain-text";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { Issue } from "#lib/contracts/issues";
import { assigneeName, issueEventsWords, originWords, placeWords, STATE_WORDS, useIssueAction } from "./issue-state.tsx";
import type { IssueRights } from "./root-causes.tsx";

const IssueSelectionBar = lazyComponent(() => import("./issue-selection-bar.tsx").then((module) => module.IssueSelectionBar));

type IssueListProps = {
  issues: Issue[];
  ownId: string | null;
  group: IssueGroup;
  beside: boolean;
  rights: IssueRights;
};

export function IssueList({ issues, ownId, group, beside, rights }: IssueListProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { rows, listeners } = useSteadyOrder(issues, ({ id }) => id);
  const selected = rows.filter(({ id }) => ticked.has(id));
  const tick = (ids: string[], on: boolean) => {
    const next = new Set(selected.map(({ id }) => id));
    for (const id of ids)
      if (on) next.add(id);
      else next.delete(id);
    setTicked(next);
  };
  const all = rows.map(({ id }) => id);
  return (
    <>
      {beside ? <h2 className="mb-2 text-14 font-medium">Other issues</h2> : null}
      {rights.manage ? (
        <div className="border-t border-line px-3 py-2">
          <Checkbox
            checked={selected.length === 0 ? false : selected.length === rows.length ? true : "indeterminate"}
            onCheckedChange={(on) => tick(all, on)}
          >
            <span className="text-12 text-muted">{`Select ${countWords(rows.length, "issue")}`}</span>
          </Checkbox>
        </div>
      ) : null}
      <div {...listeners}>
        {groupsOf(rows, group).map(({ heading, issues: inGroup }) => (
          <section key={heading ?? inGroup[0]?.id} aria-label={heading ?? "Issues"}>
            {heading === null ? null : (
              <h3 className="break-words border-t border-line bg-sunken px-3 py-1.5 text-12 font-medium">
                {heading} <span className="font-normal text-muted tabular-nums">{formatNumber(inGroup.length)}</span>
              </h3>
            )}
            <ul aria-label={heading === null ? "Issues" : `Issues: ${heading}`} className="border-t border-line">
              {inGroup.map((issue) => (
                <IssueRow
                  key={issue.id}
                  issue={issue}
                  canManage={rights.manage}
                  ticked={ticked.has(issue.id)}
                  onTick={(on) => tick([issue.id], on)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {selected.length > 0 ? (
        <IssueSelectionBar selected={selected} ownId={ownId} canSnooze={rights.snooze} onDone={() => setTicked(new Set())} />
      ) : null}
    </>
  );
}

type IssueRowProps = { issue: Issue; canManage: boolean; ticked: boolean; onTick: (on: boolean) => void };

function IssueRow({ issue, canManage, ticked, onTick }: IssueRowProps) {
  const { word, tone } = STATE_WORDS[issue.state];
  const place = placeWords(issue);
  return (
    <li
      data-row
      className="group/issue relative flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-3 py-3 hover:bg-hover has-[a[data-row-link]:focus-visible]:outline-2 has-[a[data-row-link]:focus-visible]:-outline-offset-2 has-[a[data-row-link]:focus-visible]:outline-focus"
    >
      {canManage ? (
        <span className="relative z-1 mt-0.5 flex">
          <Checkbox aria-label={`Select: ${issue.failure.what}`} checked={ticked} onCheckedChange={onTick} />
        </span>
      ) : null}
      <StateIcon state={issue.origin === "platform" || issue.origin === "schema" ? "attention" : "failed"} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-64">
        <PageLink
          href={`/issues/${issue.id}`}
          data-row-link
          className="line-clamp-2 break-words font-medium outline-none after:absolute after:inset-0 after:content-['']"
        >
          {visible(issue.failure.what)}
        </PageLink>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
          <span className="font-medium text-text tabular-nums">{issueEventsWords(issue)}</span>
          <span>{originWords(issue)}</span>
          {issue.assignee ? <span className="min-w-0 max-w-full truncate">{`Assigned to ${assigneeName(issue.assignee)}`}</span> : null}
          {issue.origin === "forwarding" ? null : <span className="min-w-0 max-w-full truncate font-mono">{visible(issue.type)}</span>}
          {place === null ? null : <span className="min-w-0 max-w-full truncate font-mono">{visible(place)}</span>}
        </p>
        <p className="mt-1 line-clamp-2 max-w-[120ch] break-words text-13 text-muted">{issue.failure.fix}</p>
      </div>
      <div className="flex shrink-0 flex-col items-start gap-1.5 max-[700px]:w-full max-[700px]:pl-8 max-[700px]:flex-row max-[700px]:flex-wrap max-[700px]:items-center min-[700px]:w-40">
        <span className="flex w-full items-center justify-between gap-2">
          <StateBadge state={tone}>{word}</StateBadge>
          {canManage && issue.actions.includes("resolve") ? <ResolveInRow issue={issue} /> : null}
        </span>
        <DaySpark hours={issue.lastDay} className="max-[700px]:hidden" />
        <span className="text-12 text-muted">
          Last seen <RelativeTime at={issue.lastSeenAt} />
        </span>
      </div>
    </li>
  );
}

/** Visible only under the pointer or the focus. */
function ResolveInRow({ issue }: { issue: Issue }) {
  const { act, pending } = useIssueAction(issue);
  return (
    <Button
      size="sm"
      data-on-key="e"
      aria-label={`Resolve: ${issue.failure.what}`}
      loading={pending === "resolve"}
      onClick={() => act("resolve")}
      className="relative z-1 -my-1 min-[700px]:opacity-0 focus-visible:opacity-100 group-hover/issue:opacity-100 group-focus-within/issue:opacity-100"
    >
      Resolve
    </Button>
  );
}

const WIDTH = 5;

function DaySpark({ hours, className }: { hours: number[]; className?: string }) {
  const top = Math.max(1, ...hours);
  const sum = hours.reduce((all, hour) => all + hour, 0);
  return (
    <svg
      role="img"
      aria-label={`${formatNumber(sum)} in the last 24 hours`}
      viewBox={`0 0 ${hours.length * WIDTH} 24`}
      className={cn("h-6 w-[120px] shrink-0", className)}
    >
      <rect x={0} y={23} width={hours.length * WIDTH} height={1} className="fill-line-strong" />
      {hours.map((count, hour) => {
        const tall = count === 0 ? 0 : Math.max(2, (count / top) * 22);
        // biome-ignore lint/suspicious/noArrayIndexKey: an hour is identified by its index.
        return <rect key={hour} x={hour * WIDTH + 0.5} y={23 - tall} width={WIDTH - 1} height={tall} className="fill-failed-mark" />;
      })}
    </svg>
  );
}

/** Groupings of the list. `cause` shows issues with a root cause under that cause, above the others. */
export const ISSUE_GROUPS = { cause: "By cause", type: "By event type", source: "By source", origin: "By origin", none: "Not grouped" };
export type IssueGroup = keyof typeof ISSUE_GROUPS;

export const isIssueGroup = (text: string): text is IssueGroup => Object.hasOwn(ISSUE_GROUPS, text);

const KEYS: Partial<Record<IssueGroup, (issue: Issue) => string>> = {
  type: ({ origin, title, type }) => (origin === "forwarding" ? title : type),
  source: ({ source }) => source ?? "No source",
  origin: originWords,
};

/** Returns the issues in groups, in the order of each group's first issue. A single issue gets no heading. */
export function groupsOf(issues: Issue[], by: IssueGroup): { heading: string | null; issues: Issue[] }[] {
  const keyOf = KEYS[by];
  if (!keyOf) return [{ heading: null, issues }];
  return [...Map.groupBy(issues, keyOf)].map(([heading, all]) => ({ heading: all.length > 1 ? heading : null, issues: all }));
}
