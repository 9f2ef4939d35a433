import type { ReactNode } from "react";
import { Badge } from "#components/ui/badge";
import { type State, StateIcon } from "#components/ui/state-icon";

/** A state as icon, word and hue, so that it never hangs on colour alone. */
export function StateBadge({ state, className, children }: { state: State; className?: string; children: ReactNode }) {
  return (
    <Badge tone={state} icon={<StateIcon state={state} />} {...(className === undefined ? {} : { className })}>
      {children}
    </Badge>
  );
}
