import type { ReactNode } from "react";
import { type State, StateIcon } from "#components/ui/primitives/badge";

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

export type Step = { label: ReactNode; state: State; at?: ReactNode /** How long since the step before: "120 ms". */; took?: string };

/** Gives captions room at any width: steps that don't fit go into the next row. */
export function Stepper({ label, steps }: { label: string; steps: Step[] }) {
  return (
    <ol aria-label={label} className="grid gap-y-3 rail:[grid-template-columns:repeat(auto-fit,minmax(104px,1fr))]">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one event never change order.
        <li key={index} className="relative flex min-w-0 gap-2 rail:flex-col rail:gap-1">
          <div className="flex items-center gap-2">
            <StateIcon state={step.state} />
            {index === steps.length - 1 ? null : (
              <span className="hidden h-px flex-1 items-center justify-center bg-line-strong rail:mr-2 rail:flex">
                {steps[index + 1]?.took === undefined ? null : (
                  <span className="whitespace-nowrap bg-surface px-1 text-12 text-faint">{steps[index + 1]?.took}</span>
                )}
              </span>
            )}
          </div>
          <div data-caption className="min-w-0 wrap-anywhere text-13 rail:pr-3">
            <p className="font-medium">
              {step.label}
              {step.took === undefined ? null : <span className="ml-2 font-normal text-12 text-faint rail:hidden">after {step.took}</span>}
            </p>
            {step.at === undefined ? null : <div className="text-12 text-muted">{step.at}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
