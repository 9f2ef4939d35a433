import type { UseQueryResult } from "@tanstack/react-query";
import { CircleX, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { ApiProblem } from "#lib/client/fetcher";

type FrameProps = {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  live?: "alert" | "status";
};

function EmptyFrame({ icon, title, children, actions, live }: FrameProps) {
  return (
    <div role={live} className="flex flex-col items-center px-6 py-12 text-center [&>svg]:mb-3 [&>svg]:size-5 [&>svg]:text-faint">
      {icon}
      <p className="text-14 font-medium">{title}</p>
      {children === undefined ? null : <div className="mt-1 max-w-[52ch] text-13 text-muted">{children}</div>}
      {actions === undefined ? null : <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}

export function LoadingState({ what, rows, children }: { what: string; rows?: number | undefined; children?: ReactNode }) {
  return (
    <div role="status">
      <span className="sr-only">Loading {what}</span>
      {children ?? <RowsSkeleton rows={rows} />}
    </div>
  );
}

/** Answers of the server that another try changes. */
const TEMPORARY = new Set([0, 408, 425, 429]);

/** False for what a server refused (a right that is missing, a filter that it doesn't know): it would refuse it again. */
export const mayHelp = (error: unknown): boolean => !(error instanceof ApiProblem) || error.status >= 500 || TEMPORARY.has(error.status);

/** Offers another try only where it can help. */
export function ErrorState({ what, error, why, onRetry }: { what: string; error?: unknown; why?: ReactNode; onRetry?: () => void }) {
  return (
    <EmptyFrame
      live="alert"
      icon={<CircleX className="text-failed!" />}
      title={`Couldn't load ${what}`}
      actions={onRetry && mayHelp(error) ? <Button onClick={onRetry}>Try again</Button> : undefined}
    >
      {why ?? (error instanceof Error && error.message !== "" ? error.message : "The reason is unknown.")}
    </EmptyFrame>
  );
}

type Loading = Pick<UseQueryResult, "data" | "error" | "isPending" | "isSuccess" | "refetch">;

/** `what`: "the members", as in "Couldn't load the members"; `loading`, where it is called otherwise until then. */
export type Fallback = { what: string; loading?: string; rows?: number };

/** Returns a query's data, and what stands in its place until it is there: its skeleton, or why it failed; null then. */
export function withFallback<Q extends Loading>(
  query: Q,
  { what, loading = what, rows }: Fallback,
): { data: Q["data"]; fallback: ReactNode } {
  const fallback = query.isPending ? (
    <LoadingState what={loading} rows={rows} />
  ) : query.isSuccess ? null : (
    <ErrorState what={what} error={query.error} onRetry={() => void query.refetch()} />
  );
  return { data: query.data, fallback };
}

type NothingMatchesProps = { what: string; timed?: boolean; onClear?: () => void; elsewhere?: ReactNode; children?: ReactNode };

/** `timed`: a time range is among the filters. `elsewhere`: a link to where it may be found. */
export function NothingMatches({ what, timed = false, onClear, elsewhere, children }: NothingMatchesProps) {
  return (
    <EmptyFrame
      live="status"
      icon={<SearchX />}
      title={`No ${what} match`}
      actions={
        onClear || elsewhere ? (
          <>
            {onClear ? <Button onClick={onClear}>Clear filters</Button> : null}
            {elsewhere}
          </>
        ) : undefined
      }
    >
      {children ?? (timed ? "Remove a filter or widen the time range." : "Remove a filter.")}
    </EmptyFrame>
  );
}

/** Says that there are none yet; `actions` has the button that creates the first. */
export function NothingYet({
  icon,
  title,
  actions,
  children,
}: {
  icon?: ReactNode;
  title: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <EmptyFrame icon={icon} title={title} actions={actions}>
      {children}
    </EmptyFrame>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("h-4 rounded-sm bg-hover", className)} />;
}

/** Renders rows with the height of the loaded table. */
function RowsSkeleton({ rows = 8 }: { rows?: number | undefined }) {
  const widths = ["w-1/3", "w-2/5", "w-1/4", "w-1/2"];
  return (
    <div aria-hidden>
      {Array.from({ length: rows }, (_, index) => `row-${index}`).map((key, index) => (
        <div key={key} className="flex h-9 items-center gap-4 border-b border-line px-3">
          <Skeleton className="h-3 w-20" />
          <Skeleton className={cn("h-3", widths[index % widths.length])} />
          <Skeleton className="ml-auto h-3 w-16" />
        </div>
      ))}
    </div>
  );
}

type RefreshingProps = { busy: boolean; children: ReactNode; className?: string };

export function Refreshing({ busy, children, className }: RefreshingProps) {
  return (
    <div
      aria-busy={busy}
      className={cn(
        "relative",
        busy &&
          "before:absolute before:left-0 before:right-0 before:-top-1 before:h-0.5 before:animate-pulse before:rounded-full before:bg-accent",
        className,
      )}
    >
      {children}
    </div>
  );
}
