import type { ReactNode } from "react";
import { Button } from "#components/ui/primitives/button";

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
