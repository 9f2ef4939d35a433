"use client";

import { Check } from "lucide-react";
import Link from "next/link";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cn } from "#components/ui/cn";

type MenuProps = {
  trigger: ReactElement;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "right";
  className?: string;
  children: ReactNode;
};

/** A menu that opens from a button. */
export function DropdownMenu({ trigger, align = "end", side = "bottom", className, children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={cn("enter-rise z-50 min-w-48 rounded-md border border-line-strong bg-raised p-1 shadow-raised", className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const itemLook =
  "flex h-8 w-full select-none items-center gap-2 rounded-sm px-2 text-13 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0";
const hue = (danger: boolean) => (danger ? "text-failed [&>svg]:text-failed" : "text-text [&>svg]:text-faint");

type ItemProps = {
  icon?: ReactNode;
  hint?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect?: () => void;
  href?: string;
  children: ReactNode;
};

export function MenuItem({ icon, hint, danger = false, disabled = false, onSelect, href, children }: ItemProps) {
  const inside = (
    <>
      {icon}
      <span className="min-w-0 flex-1 truncate text-left">{children}</span>
      {hint === undefined ? null : <span className="text-12 text-faint">{hint}</span>}
    </>
  );
  return (
    <Radix.Item asChild={href !== undefined} disabled={disabled} className={cn(itemLook, hue(danger))} {...(onSelect ? { onSelect } : {})}>
      {href === undefined ? inside : <Link href={href}>{inside}</Link>}
    </Radix.Item>
  );
}

type RadioProps = { value: string; onValueChange: (value: string) => void; options: { value: string; label: string; icon?: ReactNode }[] };

/** One of several, inside a menu. */
export function MenuChoice({ value, onValueChange, options }: RadioProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onValueChange}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={cn(itemLook, hue(false))}>
          {option.icon}
          <span className="flex-1">{option.label}</span>
          <Radix.ItemIndicator>
            <Check aria-hidden className="size-4 text-accent-text" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 py-1 text-12 text-faint">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
