import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import type { OverlayPane } from "../overlay.tsx";
import { UnsavedBar, useUnsaved } from "./unsaved.tsx";
import { type PaneOptions, usePaneContent } from "./use-pane-content.tsx";

export type PopoverContent = PaneOptions & { children: ReactNode };

export function PopoverPane({ label, align, className, children, ...pane }: OverlayPane & PopoverContent) {
  const content = usePaneContent(pane, { label, className: cn("w-72 p-3", className), ...(align && { align }) });
  const { edited, asking, setAsking, onChange } = useUnsaved(pane.open);
  const ask = (next: boolean, event?: Event): boolean => {
    if (!edited()) return false;
    event?.preventDefault();
    setAsking(next);
    return true;
  };
  pane.holds.current = () => ask(true);
  return (
    <Radix.Root open={pane.open} onOpenChange={pane.onOpenChange}>
      <Radix.Anchor virtualRef={pane.anchor} />
      <Radix.Portal>
        <Radix.Content
          {...content}
          onChange={onChange}
          onEscapeKeyDown={(event) => ask(!asking, event)}
          // A press and the focus that it moves are two events: the second takes nothing back.
          onInteractOutside={(event) => {
            if (!ask(true, event)) content.onInteractOutside(event);
          }}
        >
          {children}
          {asking ? (
            <UnsavedBar onKeep={() => setAsking(false)} onDiscard={() => pane.onOpenChange(false)} className="mx-0 mt-3 mb-0" />
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
