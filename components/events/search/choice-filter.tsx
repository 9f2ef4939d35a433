"use client";

import { ChevronDown } from "lucide-react";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";

export type Choice = { value: string; label: string; hint?: string };

type ChoiceFilterProps = { name: string; choices: Choice[]; chosen: readonly string[]; onChange: (chosen: string[]) => void };

export function ChoiceFilter({ name, choices, chosen, onChange }: ChoiceFilterProps) {
  const known = new Set(choices.map(({ value }) => value));
  const all = [...choices, ...chosen.filter((value) => !known.has(value)).map((value): Choice => ({ value, label: value }))];
  const toggle = (value: string, on: boolean) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value));
  const words = chosen.length === 1 ? (all.find(({ value }) => value === chosen[0])?.label ?? "") : `${chosen.length} selected`;
  const trigger = (
    <Button className="max-w-52 font-normal">
      <span className="truncate">
        <span className={chosen.length === 0 ? undefined : "text-muted"}>{name}</span>
        {chosen.length === 0 ? null : <span className="ml-1.5 font-medium">{words}</span>}
      </span>
      <ChevronDown aria-hidden className="text-faint" />
    </Button>
  );
  return (
    <Popover label={`Filter by ${name.toLowerCase()}`} trigger={trigger}>
      <div className="flex max-h-[min(440px,60vh)] flex-col gap-2 overflow-y-auto p-1">
        {all.map(({ value, label, hint }) => (
          <Checkbox key={value} checked={chosen.includes(value)} onCheckedChange={(on) => toggle(value, on)}>
            <span className="break-words">{label}</span>
            {hint === undefined ? null : <span className="block font-mono text-12 text-muted">{hint}</span>}
          </Checkbox>
        ))}
      </div>
      {chosen.length === 0 ? null : (
        <div className="mt-2 border-t border-line pt-2">
          <Button size="sm" variant="ghost" onClick={() => onChange([])}>
            Clear
          </Button>
        </div>
      )}
    </Popover>
  );
}
