"use client";

import { Switch as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";

type SwitchProps = {
  checked?: boolean;
  defaultChecked?: boolean;
  onCheckedChange?: (checked: boolean) => void;
  disabled?: boolean;
  name?: string;
  children: ReactNode;
};

/** On or off, applied at once. Its label says what is on. */
export function Switch({ children, ...rest }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <Radix.Root
        id={id}
        {...rest}
        className="flex h-[18px] w-8 shrink-0 items-center rounded-full border border-line-control bg-sunken px-px transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50"
      >
        <Radix.Thumb className="size-3.5 rounded-full bg-line-control transition-transform data-[state=checked]:translate-x-3.5 data-[state=checked]:bg-accent-contrast" />
      </Radix.Root>
      <label htmlFor={id} className="cursor-pointer text-13">
        {children}
      </label>
    </div>
  );
}
