import { Slot } from "radix-ui";
import { type PointerEvent, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";

const Pane = lazyComponent(() => import("./panes/tooltip-pane.tsx").then((module) => module.TooltipPane), true);

const OPENS_AFTER_MS = 300;
/** Milliseconds to move the pointer from the control to the text. */
const CLOSES_AFTER_MS = 100;

type TooltipProps = {
  content: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
  /** Shows it without a hover: to confirm a click, which would close it. */
  shown?: boolean;
  children: ReactElement;
};

/** Adds text to a control, never the only place for it. The code that positions the text loads with the first hover or focus. */
export function Tooltip({ content, side = "top", shown = false, children }: TooltipProps) {
  const id = useId();
  const anchor = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: boolean, afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(next), afterMs);
  };
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType === "touch") return;
    Pane.preload();
    change(true, OPENS_AFTER_MS);
  };
  const leave = () => change(false, CLOSES_AFTER_MS);
  const close = () => change(false, 0);
  const visible = open || shown;
  return (
    <>
      <Slot.Root
        ref={anchor}
        {...(visible && { "aria-describedby": id })}
        onPointerEnter={enter}
        onPointerLeave={leave}
        onPointerDown={close}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(":focus-visible")) change(true, 0);
        }}
        onBlur={close}
      >
        {children}
      </Slot.Root>
      {visible ? (
        <Pane id={id} anchor={anchor} side={side} onPointerEnter={() => change(true, 0)} onPointerLeave={leave} onDismiss={close}>
          {content}
        </Pane>
      ) : null}
    </>
  );
}
