"use client";

import { bySource, FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { NothingMatches, NothingYet } from "#components/ui/layout/content-states";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { useUrlParameter } from "#components/ui/lists/use-page-query";
import { LinkButton } from "#components/ui/primitives/button";
import { useViewCount, useViews } from "#lib/client/queries/views";
import { isEmptyFilter } from "#lib/client/url-filter";
import { cappedNumber, nounFor } from "#lib/contracts/format-count";
import { shownFilter, VIEW_FILTERS, type ViewFilter } from "#lib/contracts/list-filters";
import type { ViewKind, ViewOrder } from "#lib/contracts/views";
import { KIND_WORDS, stateWord } from "./view-labels.tsx";
import { ViewTable } from "./view-table.tsx";

type ViewListProps = { kind: ViewKind /** That make documents. */; sources: string[]; sandbox: boolean };

export function ViewList({ kind, sources, sandbox }: ViewListProps) {
  const { filter, setFilter } = useUrlFilter(VIEW_FILTERS);
  const { order, setOrder } = useOrder();
  const shown = shownFilter(kind, filter);
  const views = useViews(kind, shown, { order });
  const records = views.data?.pages.flatMap((page) => page.data) ?? [];
  const filtered = !isEmptyFilter(filter);
  if (views.isSuccess && records.length === 0 && !filtered) return <NoViewsYet kind={kind} sandbox={sandbox} />;
  return (
    <div className="flex flex-col gap-3">
      <ViewFilters kind={kind} sources={sources} filter={filter} onChange={setFilter} />
      <Total kind={kind} filter={shown} />
      <div aria-busy={views.isPlaceholderData}>
        <Records kind={kind} q={filter.q} views={views} order={order} onOrder={setOrder} onClear={() => setFilter({})} />
      </div>
    </div>
  );
}

const MAX_COUNTED = 10_000;

function Total({ kind, filter }: { kind: ViewKind; filter: ViewFilter }) {
  const { data } = useViewCount(kind, filter);
  const { one, many } = KIND_WORDS[kind];
  const count = data?.count;
  return (
    <p aria-live="polite" className="h-5 text-13 text-muted tabular-nums">
      {count === undefined ? null : `${cappedNumber(count, MAX_COUNTED)} ${nounFor(count, one, many)}`}
    </p>
  );
}

type RecordsProps = {
  kind: ViewKind;
  q: string | undefined;
  views: ReturnType<typeof useViews>;
  order: ViewOrder;
  onOrder: (order: ViewOrder) => void;
  onClear: () => void;
};

function Records({ kind, q, views, order, onOrder, onClear }: RecordsProps) {
  const { many, title } = KIND_WORDS[kind];
  const { rows: records, fallback } = paged(views, { what: many });
  if (records.length === 0) return fallback ?? <NoneMatches kind={kind} q={q} onClear={onClear} />;
  return (
    <>
      <ViewTable kind={kind} label={title} records={records} order={order} onOrder={onOrder} />
      <LoadOlder query={views} label={`Load more ${many}`} className="mx-auto my-3 flex w-fit" />
    </>
  );
}

/** A record is found by its name and ID alone; the events that made it are found by any text of theirs. */
export function NoneMatches({ kind, q, onClear }: Pick<RecordsProps, "kind" | "q" | "onClear">) {
  const { many } = KIND_WORDS[kind];
  const events = q ? <LinkButton href={`/events?${new URLSearchParams({ q })}`}>{`Search events for “${q}”`}</LinkButton> : undefined;
  return (
    <NothingMatches what={many} onClear={onClear} elsewhere={events}>
      {q ? "Only names and IDs are searched here. Events are searched by all their text." : "Remove a filter."}
    </NothingMatches>
  );
}

/** Kinds whose latest state can be a failure. */
const FAILING = new Set<ViewKind>(["document", "automation", "run", "integration"]);

/** States that only other platforms' documents reach. */
const OTHERS_STATES = ["draft", "sent", "viewed", "signed", "completed", "declined", "cancelled", "expired"];

type ViewFiltersProps = { kind: ViewKind; sources: string[]; filter: ViewFilter; onChange: (filter: ViewFilter) => void };

function ViewFilters({ kind, sources, filter, onChange }: ViewFiltersProps) {
  const { many, states: own } = KIND_WORDS[kind];
  const some = bySource(sources);
  const states = sources.length > 1 ? [...own, ...OTHERS_STATES] : own;
  const hidden = [...some.hidden, ...(FAILING.has(kind) ? [] : (["failed"] as const)), ...(states.length > 0 ? [] : (["state"] as const))];
  const options = { ...some.options, states: states.map((value) => ({ value, label: stateWord(value) })) };
  return <FilterRow what={many} filters={VIEW_FILTERS} filter={filter} onChange={onChange} options={options} hidden={hidden} />;
}

function useOrder(): { order: ViewOrder; setOrder: (order: ViewOrder) => void } {
  const [order, setOrder] = useUrlParameter("order", "desc");
  return { order: order === "asc" ? "asc" : "desc", setOrder };
}

function NoViewsYet({ kind, sandbox }: { kind: ViewKind; sandbox: boolean }) {
  const { icon: Icon, many, firstBy } = KIND_WORDS[kind];
  return (
    <NothingYet
      icon={<Icon aria-hidden />}
      title={`No ${many} yet`}
      actions={
        <>
          {firstBy === null ? (
            <LinkButton href="/settings/sources" variant="primary">
              View sources
            </LinkButton>
          ) : sandbox ? (
            <LinkButton href="/sandbox" variant="primary">
              Run a scenario in the sandbox
            </LinkButton>
          ) : null}
          <LinkButton href="/events">View events</LinkButton>
        </>
      }
    >
      {firstBy === null ? (
        "A source of another sender creates none until you set which records its events become: choose Records on the source."
      ) : (
        <>
          The first <code className="text-12">{firstBy}</code> event creates one.
        </>
      )}
    </NothingYet>
  );
}
