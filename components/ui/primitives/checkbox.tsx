import { type ReactNode, useId } from "react";

type CheckboxProps = {
  checked?: boolean | "indeterminate";
  defaultChecked?: boolean;
  onCheckedChange?: (checked: boolean) => void;
  name?: string;
  disabled?: boolean;
  /** Its label; `aria-label` if the box is alone in a table's row. */
  children?: ReactNode;
  "aria-label"?: string;
};

const look =
  "relative flex size-4 shrink-0 appearance-none items-center justify-center rounded-sm border border-line-control bg-raised forced-colors:appearance-auto checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-50";

const reach = "after:absolute after:-inset-1";

/** The tick and the dash, clipped from a square. */
const mark =
  "before:size-2.5 before:scale-0 before:bg-accent-contrast checked:before:scale-100 checked:before:[clip-path:polygon(14%_44%,0_60%,42%_96%,100%_18%,84%_4%,40%_68%)] indeterminate:before:scale-100 indeterminate:before:[clip-path:inset(40%_5%)]";

/** Renders the browser's own control, because a list has many of them. */
export function Checkbox({ checked, children, onCheckedChange, ...rest }: CheckboxProps) {
  const id = useId();
  const box = (
    <input
      type="checkbox"
      id={id}
      ref={(input) => {
        if (input) input.indeterminate = checked === "indeterminate";
      }}
      {...rest}
      {...(checked !== undefined && { checked: checked === true })}
      onChange={({ target }) => onCheckedChange?.(target.checked)}
      className={`${look} ${reach} ${mark}`}
    />
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
