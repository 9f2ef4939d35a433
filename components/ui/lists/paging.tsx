import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { type Fallback, withFallback } from "#components/ui/layout/content-states";
import { Button, type ButtonProps } from "#components/ui/primitives/button";
import { formatNumber } from "#lib/contracts/format-count";

/** Returns the rows of all pages that were loaded, and what stands in their place until there are any. */
export function paged<Row>(query: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>, words: Fallback) {
  return { rows: query.data?.pages.flatMap(({ data }) => data) ?? [], fallback: withFallback(query, words).fallback };
}

type LoadOlderProps = {
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  label?: string;
  className?: string;
};

export function LoadOlder({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, label = "Load older", ...look }: LoadOlderProps) {
  if (!hasNextPage) return null;
  const load = async () => {
    const { error, isFetchNextPageError } = await fetchNextPage();
    if (isFetchNextPageError) toast.error("Couldn't load more of the list", { description: error?.message });
  };
  return (
    <MoreButton loading={isFetchingNextPage} onMore={() => void load()} {...look}>
      {label}
    </MoreButton>
  );
}

const PAGE = 100;

/** Shows a list that is at hand by its first hundred rows. `more`: the button for the next hundred, nothing once all are shown. */
export function useFirstRows<Item>(items: readonly Item[]): { shown: readonly Item[]; more: ReactNode } {
  const [most, setMost] = useState(PAGE);
  const left = items.length - most;
  const more =
    left > 0 ? (
      <MoreButton className="self-start" onMore={() => setMost(most + PAGE)}>
        {`Show ${Math.min(PAGE, left)} more of ${formatNumber(left)}`}
      </MoreButton>
    ) : null;
  return { shown: items.slice(0, most), more };
}

type MoreButtonProps = Omit<ButtonProps, "onClick" | "disabled" | "icon"> & { onMore: () => void };

/** Shows more of the list before it. It goes away with the last of it: the focus then moves to the first row that came. */
export function MoreButton({ onMore, loading = false, ...look }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const lastRow = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      const last = lastRow.current;
      // Its rows are in the page once React is done.
      if (last && document.activeElement === own) queueMicrotask(() => last.isConnected && focusRow(rowAfter(last) ?? last));
    };
  }, []);
  const show = () => {
    lastRow.current = button.current && lastRowBefore(button.current);
    onMore();
  };
  // A disabled button would lose the focus.
  const waits = loading && { "aria-busy": true, "aria-disabled": true, icon: <LoaderCircle className="animate-spin" aria-hidden /> };
  return <Button ref={button} onClick={loading ? undefined : show} {...waits} {...look} />;
}

const LISTS = "ul, ol, tbody";
/** Space in place of rows out of sight is none. */
const isRow = (row: Element | null) => row !== null && row.getAttribute("aria-hidden") !== "true";

/** Returns the last row of the nearest list before the button, not of one within a row. */
function lastRowBefore(button: Element): Element | null {
  const isBefore = (list: Element) => (list.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const isOuter = (list: Element) => list.parentElement?.closest(LISTS)?.contains(button) ?? true;
  const list = [...document.querySelectorAll(`#content :is(${LISTS})`)].findLast(
    (each) => isBefore(each) && !each.contains(button) && isOuter(each),
  );
  return [...(list?.children ?? [])].findLast(isRow) ?? null;
}

const rowAfter = ({ nextElementSibling: next }: Element) => (isRow(next) ? next : null);

function focusRow(row: Element): void {
  const link = row.querySelector<HTMLElement>("a[data-row-link]") ?? row.querySelector<HTMLElement>("a[href], button");
  if (link === null && row instanceof HTMLElement) row.tabIndex = -1;
  (link ?? (row as HTMLElement)).focus();
}
