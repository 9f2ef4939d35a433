"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Button } from "#components/ui/button";
import { cn } from "#components/ui/cn";

type SheetProps = {
  title: ReactNode;
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  side?: "right" | "left" | "bottom";
  className?: string;
  children: ReactNode;
};

const SIDES = {
  right: "enter-side top-0 right-0 h-dvh w-[min(560px,100vw)] border-l",
  left: "enter-fade top-0 left-0 h-dvh w-[min(320px,88vw)] border-r",
  bottom: "enter-rise bottom-0 left-0 max-h-[85dvh] w-full border-t",
};

/** A pane from the edge of the screen: an inspector, or the navigation on a phone. */
export function Sheet({ title, trigger, open, onOpenChange, side = "right", className, children }: SheetProps) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className={cn("fixed z-50 flex flex-col border-line-strong bg-raised shadow-raised", SIDES[side], className)}
        >
          <div className="flex min-h-12 items-center gap-3 border-b border-line px-4">
            <Radix.Title className="min-w-0 flex-1 truncate text-14 font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button variant="ghost" aria-label="Close" className="-mr-2 size-8 px-0" icon={<X />} />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
