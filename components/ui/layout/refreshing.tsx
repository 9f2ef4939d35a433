import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";

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
