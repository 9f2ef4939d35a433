import type { ReactNode } from "react";
import { StateIcon } from "#components/ui/primitives/badge";
import { cn } from "#components/ui/primitives/cn";

const TONES = {
  failed: "border-failed-line bg-failed-surface",
  attention: "border-attention-line bg-attention-surface",
};

type ProblemNoticeProps = {
  what: ReactNode;
  why?: ReactNode;
  fix?: ReactNode;
  action?: ReactNode;
  tone?: "failed" | "attention";
  /** Announces it to screen readers at once: for a problem that occurred while the page was open. */
  announce?: boolean;
  className?: string;
};

export function ProblemNotice({ what, why, fix, action, tone = "failed", announce = false, className }: ProblemNoticeProps) {
  return (
    <div
      role={announce ? "alert" : undefined}
      className={cn("flex flex-wrap gap-x-3 gap-y-3 rounded-md border px-4 py-3", TONES[tone], className)}
    >
      <StateIcon state={tone} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-[min(28rem,calc(100%-2rem))] text-13">
        <p className="break-words font-medium">{what}</p>
        {why === undefined ? null : <p className="break-words text-muted">{why}</p>}
        {fix === undefined ? null : <p className="mt-1 break-words">{fix}</p>}
      </div>
      {action === undefined ? null : <div className="flex items-center gap-2">{action}</div>}
    </div>
  );
}
