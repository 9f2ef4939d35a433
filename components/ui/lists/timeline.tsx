import type { ReactNode } from "react";
import { type State, StateIcon } from "#components/ui/feedback/state-icon";

export type TimelineItem = { key: string; state: State; title: ReactNode; at: ReactNode; detail?: ReactNode };

export function Timeline({ label, items }: { label: string; items: TimelineItem[] }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {items.map((item) => (
        <li key={item.key} className="group relative flex gap-3 pb-4 last:pb-0">
          <span aria-hidden className="absolute top-6 bottom-0 left-[7.5px] w-px bg-line group-last:hidden" />
          <StateIcon state={item.state} className="mt-0.5" />
          <div className="min-w-0 flex-1 text-13">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <div className="min-w-0 font-medium">{item.title}</div>
              <div className="text-12 text-muted">{item.at}</div>
            </div>
            {item.detail === undefined ? null : <div className="break-words text-muted">{item.detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
