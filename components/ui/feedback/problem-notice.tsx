"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { visible } from "#lib/contracts/api/plain-text";

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

/** Words of the sender may stand in it. */
const readable = (part: ReactNode) => (typeof part === "string" ? visible(part) : part);

export function ProblemNotice({ what, why, fix, action, tone = "failed", announce = false, className }: ProblemNoticeProps) {
  return (
    <div
      role={announce ? "alert" : undefined}
      className={cn("flex flex-wrap gap-x-3 gap-y-3 rounded-md border px-4 py-3", TONES[tone], className)}
    >
      <StateIcon state={tone} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-[min(28rem,calc(100%-2rem))] text-13">
        <p className="break-words font-medium">{readable(what)}</p>
        {why === undefined ? null : <p className="break-words text-muted">{readable(why)}</p>}
        {fix === undefined ? null : <p className="mt-1 break-words">{fix}</p>}
      </div>
      {action === undefined ? null : <div className="flex items-center gap-2">{action}</div>}
    </div>
  );
}

const BANNER_TONES = {
  fine: "border-fine-line bg-fine-surface",
  working: "border-working-line bg-working-surface",
  attention: "border-attention-line bg-attention-surface",
  failed: "border-failed-line bg-failed-surface",
  neutral: "border-line bg-sunken",
};

type BannerProps = {
  tone?: keyof typeof BANNER_TONES;
  action?: ReactNode;
  onDismiss?: () => void;
  children: ReactNode;
};

/** Shows one line about the whole page: an outcome ("Connected Acme production"), a mode ("As of 14:02"). */
export function Banner({ tone = "neutral", action, onDismiss, children }: BannerProps) {
  return (
    <div
      role="status"
      className={cn("flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border px-3 py-2 text-13", BANNER_TONES[tone])}
    >
      <StateIcon state={tone} />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
      {onDismiss ? (
        <Button variant="ghost" size="sm" aria-label="Dismiss" className="size-7 px-0" icon={<X />} onClick={onDismiss} />
      ) : null}
    </div>
  );
}
