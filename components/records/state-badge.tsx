import type { ReactNode } from "react";
import { Badge, type State, StateIcon } from "#components/ui/primitives/badge";

/** Shows a state as icon, text and colour, so that it never depends on colour alone. */
export function StateBadge({ state, className, children }: { state: State; className?: string; children: ReactNode }) {
  return (
    <Badge tone={state} icon={<StateIcon state={state} />} {...(className === undefined ? {} : { className })}>
      {children}
    </Badge>
  );
}
