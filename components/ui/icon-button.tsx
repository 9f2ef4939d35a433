"use client";

import type { ReactNode } from "react";
import { Button, type ButtonProps } from "#components/ui/button";
import { cn } from "#components/ui/cn";
import { Tooltip } from "#components/ui/tooltip";

type IconButtonProps = Omit<ButtonProps, "children" | "icon" | "aria-label"> & { label: string; icon: ReactNode };

/** A square button with an icon alone; its label is its tooltip and what screen readers say. */
export function IconButton({ label, icon, variant = "ghost", size, className, ...rest }: IconButtonProps) {
  const square = size === "sm" ? "size-7" : size === "lg" ? "size-10" : "size-8";
  return (
    <Tooltip content={label}>
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
