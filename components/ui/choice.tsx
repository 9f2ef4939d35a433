import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { DropdownMenu } from "./overlay/popover.tsx";
import { Button } from "./primitives/button.tsx";
import { cn } from "./primitives/cn.tsx";
import { controlLook } from "./primitives/input.tsx";

type ChoiceButtonsProps<T> = {
  legend: string;
  choices: readonly { value: T; label: string; count?: ReactNode }[];
  chosen: T;
  onChoose: (value: T) => void;
};

export function ChoiceButtons<T extends string | null>({ legend, choices, chosen, onChoose }: ChoiceButtonsProps<T>) {
  return (
    <fieldset className="-m-1 flex min-w-0 gap-1 p-1 min-[700px]:flex-wrap max-[700px]:overflow-x-auto max-[700px]:[scrollbar-width:none] [&>button]:shrink-0">
      <legend className="sr-only">{legend}</legend>
      {choices.map(({ value, label, count }) => (
        <Button
          key={label}
          size="sm"
          variant={value === chosen ? "secondary" : "ghost"}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {label}
          {count}
        </Button>
      ))}
    </fieldset>
  );
}

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
          <ChevronDown className="size-4 shrink-0 text-faint" />
        </button>
      }
    />
  );
}
