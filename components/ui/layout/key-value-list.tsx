import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import { visible } from "#lib/contracts/api/plain-text";

export type KeyValue = {
  label: string;
  value: ReactNode;
  hint?: ReactNode;
  block?: boolean;
};

export function KeyValueList({ items, className }: { items: KeyValue[]; className?: string }) {
  return (
    <dl className={cn("flex flex-col", className)}>
      {items.map((item) => (
        <div
          key={item.label}
          className={cn(
            "grid grid-cols-[minmax(96px,128px)_1fr] gap-x-4 border-b border-line py-2 last:border-b-0",
            item.block && "gap-y-1 max-[480px]:grid-cols-1",
          )}
        >
          <dt className="min-w-0 break-words text-13 text-muted">{item.label}</dt>
          <dd className="min-w-0 break-words text-13">
            {typeof item.value === "string" ? visible(item.value) : item.value}
            {item.hint === undefined ? null : <div className="text-12 text-faint">{item.hint}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
