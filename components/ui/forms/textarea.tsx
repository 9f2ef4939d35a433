"use client";

import type { Ref, TextareaHTMLAttributes } from "react";
import { cn } from "#components/ui/primitives/cn";
import { controlLook } from "#components/ui/primitives/input";
import { useFieldControl } from "./field-context.tsx";

export function Textarea({
  className,
  rows = 4,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea rows={rows} {...useFieldControl()} className={cn(controlLook, "py-1.5", className)} {...rest} />;
}
