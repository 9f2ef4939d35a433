import { cn } from "./cn.tsx";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("h-4 rounded-sm bg-hover", className)} />;
}

/** Renders rows with the height of the loaded table. */
export function RowsSkeleton({ rows = 8 }: { rows?: number }) {
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
