import { type ReactNode, useId } from "react";

type SwitchProps = { checked: boolean; onCheckedChange: (checked: boolean) => void; disabled?: boolean; children: ReactNode };

const track =
  "flex h-[18px] w-8 shrink-0 cursor-pointer appearance-none items-center rounded-full border border-line-control bg-sunken px-px transition-colors forced-colors:appearance-auto checked:border-accent checked:bg-accent disabled:cursor-default disabled:opacity-50";
const thumb =
  "before:size-3.5 before:rounded-full before:bg-line-control before:transition-transform checked:before:translate-x-3.5 checked:before:bg-accent-contrast";

/** Applies at once. Renders the browser's own control, because nearly every list has one. */
export function Switch({ checked, onCheckedChange, disabled, children }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <input
        type="checkbox"
        role="switch"
        id={id}
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        onChange={({ target }) => onCheckedChange(target.checked)}
        className={`${track} ${thumb}`}
      />
      <label htmlFor={id} className="cursor-pointer text-13">
        {children}
      </label>
    </div>
  );
}
