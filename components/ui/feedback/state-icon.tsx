import { CircleCheck, CircleDashed, CircleX, Clock, type LucideProps, TriangleAlert } from "lucide-react";
import { cn } from "#components/ui/primitives/cn";

export type State = "fine" | "working" | "attention" | "failed" | "neutral";

const ICONS = { fine: CircleCheck, working: Clock, attention: TriangleAlert, failed: CircleX, neutral: CircleDashed };
const HUES = { fine: "text-fine", working: "text-working", attention: "text-attention", failed: "text-failed", neutral: "text-faint" };

/** Shows a state's icon in its colour. Always put the name of the state next to it. */
export function StateIcon({ state, className, ...rest }: LucideProps & { state: State }) {
  const Icon = ICONS[state];
  return <Icon aria-hidden className={cn("size-4 shrink-0", HUES[state], className)} {...rest} />;
}
