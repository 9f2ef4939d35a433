import { CircleCheck, CircleDashed, CircleX, Clock, type LucideProps, TriangleAlert } from "lucide-react";
import { cn } from "#components/ui/cn";

/** The four states, and `neutral` where nothing is known yet. */
export type State = "fine" | "working" | "attention" | "failed" | "neutral";

const ICONS = { fine: CircleCheck, working: Clock, attention: TriangleAlert, failed: CircleX, neutral: CircleDashed };
const HUES = { fine: "text-fine", working: "text-working", attention: "text-attention", failed: "text-failed", neutral: "text-faint" };

/** A state's icon in its hue. Always beside the word that names the state. */
export function StateIcon({ state, className, ...rest }: LucideProps & { state: State }) {
  const Icon = ICONS[state];
  return <Icon aria-hidden className={cn("size-4 shrink-0", HUES[state], className)} {...rest} />;
}
