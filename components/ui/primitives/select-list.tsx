import { getNonce } from "get-nonce";
import { Check, ChevronDown } from "lucide-react";
import { Select as Radix } from "radix-ui";
import { useLayoutEffect, useRef } from "react";
import { cn } from "./cn.tsx";
import { labelIdOf, selectLook, useFieldControl } from "./input.tsx";

export type SelectProps = {
  options: { value: string; label: string; hint?: string }[];
  value?: string;
  defaultValue?: string;
  onValueChange?: (value: string) => void;
  placeholder?: string;
  name?: string;
  disabled?: boolean;
  /** Its accessible name, if no Field labels it. */
  label?: string;
  className?: string;
};

type SelectListProps = SelectProps & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that it replaces had the focus. */
  focused: boolean;
};

/** A select with its list: the code that places it weighs as much as a page. */
export function SelectList({ options, placeholder, label, className, focused, ...root }: SelectListProps) {
  const control = useFieldControl();
  const trigger = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (focused) trigger.current?.focus();
  }, [focused]);
  const named = label === undefined ? {} : { "aria-label": label };
  return (
    <Radix.Root {...root}>
      <Radix.Trigger ref={trigger} {...control} {...named} className={cn(selectLook, className)}>
        <span className="min-w-0 flex-1 truncate">
          {/* The server knows the selected label; Radix learns it only in the browser, which would resize the trigger. */}
          <Radix.Value placeholder={placeholder}>{options.find(({ value }) => value === root.value)?.label}</Radix.Value>
        </span>
        <ChevronDown className="size-4 shrink-0 text-faint" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          {...(control.id === undefined ? named : { "aria-labelledby": labelIdOf(control.id) })}
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="enter-rise z-50 max-h-80 min-w-(--radix-select-trigger-width) overflow-hidden rounded-md border border-line-strong bg-raised p-1 shadow-raised"
        >
          <Radix.Viewport nonce={getNonce()}>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-sm py-1 pr-2 pl-2 text-13 outline-none data-[highlighted]:bg-hover"
              >
                <div className="min-w-0 flex-1">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.hint === undefined ? null : <p className="text-12 text-muted">{option.hint}</p>}
                </div>
                <Radix.ItemIndicator>
                  <Check className="size-4 text-accent-text" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
