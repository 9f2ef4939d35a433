import type { ReactNode } from "react";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button, type ButtonProps } from "./button.tsx";
import { cn } from "./cn.tsx";

type IconButtonProps = Omit<ButtonProps, "children" | "icon" | "aria-label"> & {
  label: string;
  icon: ReactNode /** Shows the label without a hover: to confirm a click. */;
  labelShown?: boolean;
};

export function IconButton({ label, icon, labelShown = false, variant = "ghost", size, className, ...rest }: IconButtonProps) {
  const square = size === "sm" ? "size-7" : size === "lg" ? "size-10" : "size-8";
  return (
    <Tooltip content={label} shown={labelShown}>
      <Button
        aria-label={label}
        icon={icon}
        variant={variant}
        size={size}
        className={cn("px-0 [&>svg]:size-4", square, className)}
        {...rest}
      />
    </Tooltip>
  );
}

/** A button that the user's role may not press: it says why. */
export const RefusedButton = ({ why, ...button }: ButtonProps & { why: string }) => (
  <Tooltip content={why}>
    <Button aria-disabled {...button} />
  </Tooltip>
);
