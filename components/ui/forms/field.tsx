"use client";

import { type ReactNode, useId } from "react";
import { cn } from "#components/ui/primitives/cn";
import { FieldContext, labelIdOf } from "./field-context.tsx";
import { useFieldError } from "./form-errors.tsx";

type FieldProps = {
  /** The request's field: in a `Form`, the server's error for it is shown here. */
  name?: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  className?: string;
  children: ReactNode;
};

export function Field({ name, label, hint, error: own, optional = false, className, children }: FieldProps) {
  const id = useId();
  const sent = useFieldError(name);
  const error = own ?? sent;
  const wrong = error !== undefined && error !== null && error !== false && error !== "";
  const ids = [wrong ? `${id}-error` : "", hint === undefined ? "" : `${id}-hint`].filter(Boolean).join(" ");
  return (
    <FieldContext value={{ id, describedBy: ids === "" ? undefined : ids, invalid: wrong }}>
      <div data-field={name} className={cn("flex flex-col gap-1.5", className)}>
        <label id={labelIdOf(id)} htmlFor={id} className="text-13 font-medium">
          {label}
          {optional ? <span className="ml-1.5 font-normal text-faint">Optional</span> : null}
        </label>
        {children}
        {wrong ? (
          <p id={`${id}-error`} className="text-12 text-failed">
            {error}
          </p>
        ) : null}
        {hint === undefined ? null : (
          <p id={`${id}-hint`} className="text-12 text-muted">
            {hint}
          </p>
        )}
      </div>
    </FieldContext>
  );
}
