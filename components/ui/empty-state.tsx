import { CircleX, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button";
import { cn } from "#components/ui/cn";
import { RowsSkeleton } from "#components/ui/skeleton";

type FrameProps = {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
  live?: "alert" | "status";
};

function EmptyFrame({ icon, title, children, actions, className, live }: FrameProps) {
  return (
    <div
      role={live}
      className={cn("flex flex-col items-center px-6 py-12 text-center [&>svg]:mb-3 [&>svg]:size-5 [&>svg]:text-faint", className)}
    >
      {icon}
      <p className="text-14 font-medium">{title}</p>
      {children === undefined ? null : <div className="mt-1 max-w-[52ch] text-13 text-muted">{children}</div>}
      {actions === undefined ? null : <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}

/** It is on its way: a skeleton of the right height, and the words for screen readers. */
export function LoadingState({ what, rows, children }: { what: string; rows?: number; children?: ReactNode }) {
  return (
    <div role="status">
      <span className="sr-only">Loading {what}</span>
      {children ?? <RowsSkeleton {...(rows === undefined ? {} : { rows })} />}
    </div>
  );
}

/** It could not be read: what happened, why, and a way to try again. */
export function ErrorState({ what, error, onRetry }: { what: string; error: unknown; onRetry?: () => void }) {
  const why = error instanceof Error && error.message !== "" ? error.message : "The reason is not known.";
  return (
    <EmptyFrame
      live="alert"
      icon={<CircleX aria-hidden className="text-failed!" />}
      title={`Could not load ${what}`}
      actions={onRetry ? <Button onClick={onRetry}>Try again</Button> : undefined}
    >
      {why}
    </EmptyFrame>
  );
}

/** There are some, but none that match the filters. */
export function NothingMatches({ what, onClear, children }: { what: string; onClear?: () => void; children?: ReactNode }) {
  return (
    <EmptyFrame
      live="status"
      icon={<SearchX aria-hidden />}
      title={`No ${what} match`}
      actions={onClear ? <Button onClick={onClear}>Clear filters</Button> : undefined}
    >
      {children ?? "Take a filter away, or look at a longer time."}
    </EmptyFrame>
  );
}

/** There is none yet: how the first one comes. `actions` holds the button that gets it. */
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
