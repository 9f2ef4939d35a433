"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";

const TONES = {
  fine: "border-fine-line bg-fine-surface",
  working: "border-working-line bg-working-surface",
  attention: "border-attention-line bg-attention-surface",
  failed: "border-failed-line bg-failed-surface",
  neutral: "border-line bg-sunken",
};

type BannerProps = { tone?: keyof typeof TONES; action?: ReactNode; onDismiss?: () => void; className?: string; children: ReactNode };

/** Shows one line about the whole page: an outcome ("Connected Acme production"), a mode ("As of 14:02"). */
export function Banner({ tone = "neutral", action, onDismiss, className, children }: BannerProps) {
  return (
    <div
      role="status"
      className={cn("flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border px-3 py-2 text-13", TONES[tone], className)}
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
