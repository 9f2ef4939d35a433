"use client";

import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { WindowHead } from "#components/ui/lists/window-head";
import { cn } from "#components/ui/primitives/cn";
import type { OverlayPane } from "../overlay.tsx";
import { useFocusBack } from "./use-focus-back.tsx";

export type DialogContent = {
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  className?: string;
  /** `anyhow`, or only by a button while it shows a secret, or `never` during a request whose response would be lost. */
  closes?: DialogCloses;
  children?: ReactNode;
};

export type DialogCloses = "anyhow" | "button" | "never";

const FIELD = "input:not([type=hidden]):not(:disabled), textarea, select, [role=combobox]";

/** Otherwise the focus would be on the close button, which comes first. */
function focusFirstField(event: Event) {
  const field = event.target instanceof HTMLElement ? event.target.querySelector<HTMLElement>(FIELD) : null;
  if (!field) return;
  event.preventDefault();
  field.focus();
}

export function DialogPane({
  id,
  anchor,
  open,
  onOpenChange,
  title,
  description,
  footer,
  className,
  closes = "anyhow",
  children,
}: OverlayPane & DialogContent) {
  const focusBack = useFocusBack(anchor);
  const change = (next: boolean) => {
    if (next || closes !== "never") onOpenChange(next);
  };
  const dismiss = (event: Event) => {
    if (closes !== "anyhow") event.preventDefault();
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-50 bg-scrim" />
        <Radix.Content
          id={id}
          {...focusBack.content}
          onOpenAutoFocus={(event) => {
            focusBack.remember();
            focusFirstField(event);
          }}
          onEscapeKeyDown={dismiss}
          onInteractOutside={dismiss}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={cn(
            "enter-rise fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-32px)] max-w-[480px] -translate-x-1/2 flex-col rounded-md border border-line-strong bg-raised shadow-raised",
            className,
          )}
        >
          <WindowHead title={title} titleLook="text-16" description={description} className="items-start px-5 pt-4 pb-3" />
          {/* The padding is inside: what sticks to the bottom sticks to the edge. */}
          <div className="min-h-0 overflow-y-auto">
            <div className="px-5 pb-5">{children}</div>
          </div>
          {footer === undefined ? null : <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
