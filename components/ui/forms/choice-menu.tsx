"use client";

import { ChevronDown } from "lucide-react";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { cn } from "#components/ui/primitives/cn";
import { controlLook } from "#components/ui/primitives/input";

type ChoiceMenuProps = {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
  onOpen?: () => void;
  className?: string;
};

export function ChoiceMenu({ label, value, options, onChange, onOpen, className }: ChoiceMenuProps) {
  const chosen = options.find((option) => option.value === value)?.label ?? value;
  return (
    <DropdownMenu
      label={label}
      align="start"
      className="max-h-80 overflow-y-auto"
      onOpenChange={(open) => open && onOpen?.()}
      entries={[{ kind: "choice", value, onChange, options }]}
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${chosen}`}
          className={cn(controlLook, "flex h-8 items-center gap-2 text-left", className)}
        >
          <span className="min-w-0 flex-1 truncate">{chosen}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-faint" />
        </button>
      }
    />
  );
}
