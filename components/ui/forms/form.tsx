"use client";

import { type FormHTMLAttributes, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { type FieldError, FormErrors, fieldErrorsOf, isOf } from "./form-errors.tsx";

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> & {
  /** The failed action, shown before an error that belongs to no field. */
  failed: string;
  error: Error | null;
  onSubmit: (fields: FormData, form: HTMLFormElement) => void;
  children: ReactNode;
};

/** Shows each error at its `Field`, and scrolls to and focuses the first. An error of no field is shown in a notice. */
export function Form({ failed, error, onSubmit, className, children, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const [elsewhere, setElsewhere] = useState<readonly FieldError[]>([]);
  const errors = fieldErrorsOf(error);
  useLayoutEffect(() => {
    if (error === null || !form.current) return;
    const names = [...form.current.querySelectorAll<HTMLElement>("[data-field]")].map(({ dataset }) => dataset.field ?? "");
    setElsewhere(fieldErrorsOf(error).filter((each) => !names.some((name) => isOf(name, each))));
    const control = form.current.querySelector<HTMLElement>("[aria-invalid=true]");
    control?.focus({ preventScroll: true });
    (control?.closest("[data-field]") ?? notice.current)?.scrollIntoView({ block: "center" });
  }, [error]);
  return (
    <FormErrors value={errors}>
      <form
        ref={form}
        className={cn("flex flex-col gap-4", className)}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget), event.currentTarget);
        }}
        {...rest}
      >
        {error !== null && (errors.length === 0 || elsewhere.length > 0) ? (
          <div ref={notice}>
            <ProblemNotice announce what={failed} why={elsewhere.length > 0 ? elsewhere.map(wordsOf).join(" ") : error.message} />
          </div>
        ) : null}
        {children}
      </form>
    </FormErrors>
  );
}

const wordsOf = ({ path, message }: FieldError) => `${path}: ${message}.`;

type FormButtonsProps = { submitLabel: ReactNode; pending: boolean; disabled?: boolean; onCancel: () => void; children?: ReactNode };

/** Keeps the buttons of a dialog's form in view, however long it is. */
export function FormButtons({ submitLabel, pending, disabled = false, onCancel, children }: FormButtonsProps) {
  return (
    <div className="sticky bottom-0 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 py-3">
      {children === undefined ? null : <div className="mr-auto">{children}</div>}
      <Button disabled={pending} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" variant="primary" loading={pending} disabled={disabled}>
        {submitLabel}
      </Button>
    </div>
  );
}
