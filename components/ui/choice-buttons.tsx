import type { ReactNode } from "react";
import { Button } from "#components/ui/button";

type ChoiceButtonsProps<T> = {
  /** What is chosen, for who can't see the buttons. */
  legend: string;
  choices: readonly { value: T; label: string; count?: ReactNode }[];
  chosen: T;
  onChoose: (value: T) => void;
  /** In place of a row that wraps. */
  className?: string;
};

/** One of a few, side by side: what a list shows. */
export function ChoiceButtons<T extends string | null>({
  legend,
  choices,
  chosen,
  onChoose,
  className = "flex flex-wrap gap-1",
}: ChoiceButtonsProps<T>) {
  return (
    <fieldset className={className}>
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
