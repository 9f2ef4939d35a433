"use client";

import { Check, Minus } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";

type CheckboxProps = {
  checked?: boolean | "indeterminate";
  defaultChecked?: boolean;
  onCheckedChange?: (checked: boolean) => void;
  name?: string;
  disabled?: boolean;
  /** Words beside it; or `aria-label` where the box stands alone (a table's row). */
  children?: ReactNode;
  "aria-label"?: string;
};

/** Yes or no, in a form or a table's row. */
export function Checkbox({ children, onCheckedChange, ...rest }: CheckboxProps) {
  const id = useId();
  const box = (
    <Radix.Root
      id={id}
      {...rest}
      onCheckedChange={(checked) => onCheckedChange?.(checked === true)}
      className="relative flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-control bg-raised after:absolute after:-inset-1 data-[state=checked]:border-accent data-[state=indeterminate]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:bg-accent disabled:opacity-50"
    >
      <Radix.Indicator className="text-accent-contrast">
        {rest.checked === "indeterminate" ? (
          <Minus aria-hidden className="size-3" />
        ) : (
          <Check aria-hidden className="size-3" strokeWidth={3} />
        )}
      </Radix.Indicator>
    </Radix.Root>
  );
  if (children === undefined) return box;
  return (
    <div className="flex items-start gap-2">
      <span className="flex h-5 items-center">{box}</span>
      <label htmlFor={id} className="cursor-pointer text-13">
        {children}
      </label>
    </div>
  );
}
