import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";

type StatProps = {
  label: string;
  value: ReactNode;
  unit?: string;
  hint?: ReactNode;
  href?: string;
  tone?: "plain" | "failed" | "attention";
};

const TONES = { plain: "text-text", failed: "text-failed", attention: "text-attention" };

export function Stat({ label, value, unit, hint, href, tone = "plain" }: StatProps) {
  return (
    <div className={cn("relative flex min-w-0 flex-col gap-0.5 px-4 py-3", href !== undefined && "hover:bg-hover")}>
      <span className="text-12 text-muted">
        {href === undefined ? (
          label
        ) : (
          <PageLink href={href} className="after:absolute after:inset-0 after:content-['']">
            {label}
          </PageLink>
        )}
      </span>
      <span className={cn("truncate text-20 font-semibold tabular-nums", TONES[tone])}>
        {value}
        {unit === undefined ? null : <span className="ml-1 text-13 font-normal text-muted">{unit}</span>}
      </span>
      {hint === undefined ? null : <span className="text-balance text-12 text-faint">{hint}</span>}
    </div>
  );
}
