import { cva, type VariantProps } from "class-variance-authority";
import { CircleCheck, CircleDashed, CircleX, Clock, type LucideProps, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cappedNumber } from "#lib/contracts/format-count";
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

type Tone = NonNullable<VariantProps<typeof badgeLook>["tone"]>;

/** Shows a label; for a state use StateBadge, which adds the icon. */
export function Badge({ tone, icon, className, children }: { tone?: Tone; icon?: ReactNode; className?: string; children: ReactNode }) {
  return (
    <span className={cn(badgeLook({ tone }), className)}>
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}

export type State = "fine" | "working" | "attention" | "failed" | "neutral";

const ICONS = { fine: CircleCheck, working: Clock, attention: TriangleAlert, failed: CircleX, neutral: CircleDashed };
const HUES = { fine: "text-fine", working: "text-working", attention: "text-attention", failed: "text-failed", neutral: "text-faint" };

/** Shows a state's icon in its colour. Always put the name of the state next to it. */
export function StateIcon({ state, className, ...rest }: LucideProps & { state: State }) {
  const Icon = ICONS[state];
  return <Icon aria-hidden className={cn("size-4 shrink-0", HUES[state], className)} {...rest} />;
}

/** Shows a count; the API caps counts at 1,001, shown as "1,000+". */
export function Count({ value, tone = "neutral" }: { value: number; tone?: "neutral" | "failed" }) {
  const look = tone === "failed" ? "bg-failed-surface text-failed" : "bg-hover text-muted";
  return <span className={cn("rounded-sm px-1 text-12 tabular-nums", look)}>{cappedNumber(value)}</span>;
}

/** Shows a state as icon, text and colour, so that it never depends on colour alone. */
export function StateBadge({ state, className, children }: { state: State; className?: string; children: ReactNode }) {
  return (
    <Badge tone={state} icon={<StateIcon state={state} />} {...(className === undefined ? {} : { className })}>
      {children}
    </Badge>
  );
}
