import { ChevronDown } from "lucide-react";
import { type ComponentType, type PointerEvent, useRef, useState } from "react";
import { cn } from "./cn.tsx";
import { selectLook, useFieldControl } from "./input.tsx";
import type { SelectProps } from "./select-list.tsx";

const load = () => import("./select-list.tsx").then((module) => module.SelectList);
type List = ComponentType<Parameters<Awaited<ReturnType<typeof load>>>[0]>;

/** Shows one of a few options, whose value is never the empty string. Its list loads when the pointer or the focus reaches it. */
export function Select(props: SelectProps) {
  const { options, value, defaultValue, placeholder, name, disabled, label, className } = props;
  const control = useFieldControl();
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [shown, setShown] = useState<{ List: List; focused: boolean } | null>(null);
  // Without a connection the next press tries again.
  const prepare = () =>
    void load().then(
      (List) => setShown((already) => already ?? { List, focused: document.activeElement === trigger.current }),
      () => setOpen(false),
    );
  const press = () => {
    setOpen(true);
    prepare();
  };
  if (shown) return <shown.List {...props} open={open} onOpenChange={setOpen} focused={shown.focused} />;
  const chosen = value ?? defaultValue;
  const words = options.find((option) => option.value === chosen)?.label;
  return (
    <>
      <button
        ref={trigger}
        type="button"
        role="combobox"
        aria-expanded={open}
        aria-autocomplete="none"
        disabled={disabled}
        {...control}
        {...(label === undefined ? {} : { "aria-label": label })}
        {...(words === undefined && { "data-placeholder": "" })}
        onPointerEnter={prepare}
        onFocus={prepare}
        // The list replaces the button: a click may end on neither.
        onPointerDown={({ pointerType, button }: PointerEvent) => pointerType === "mouse" && button === 0 && press()}
        onClick={press}
        onKeyDown={({ key }) => (key === "ArrowDown" || key === "ArrowUp") && press()}
        className={cn(selectLook, className)}
      >
        <span className="min-w-0 flex-1 truncate">{words ?? placeholder}</span>
        <ChevronDown className="size-4 shrink-0 text-faint" />
      </button>
      {name === undefined || chosen === undefined ? null : <input type="hidden" name={name} value={chosen} />}
    </>
  );
}
