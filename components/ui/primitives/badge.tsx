import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";
import { cn } from "./cn.tsx";

const badgeLook = cva(
  "inline-flex h-5 max-w-full items-center gap-1 whitespace-nowrap rounded-sm border px-1.5 text-12 font-medium [&>svg]:size-3 [&>svg]:shrink-0",
  {
    variants: {
      tone: {
        neutral: "border-line bg-sunken text-muted",
        accent: "border-transparent bg-selected text-accent-text",
        fine: "border-fine-line bg-fine-surface text-fine",
        working: "border-working-line bg-working-surface text-working",
        attention: "border-attention-line bg-attention-surface text-attention",
        failed: "border-failed-line bg-failed-surface text-failed",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type Tone = NonNullable<VariantProps<typeof badgeLook>["tone"]>;

/** Shows a label; for a state use StateBadge, which adds the icon. */
export function Badge({ tone, icon, className, children }: { tone?: Tone; icon?: ReactNode; className?: string; children: ReactNode }) {
  return (
    <span className={cn(badgeLook({ tone }), className)}>
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}
