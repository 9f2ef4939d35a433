import {
  createContext,
  type FormHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { ApiProblem } from "#lib/client/fetcher";
import { asSentence } from "#lib/contracts/as-sentence";
import { ProblemNotice } from "./feedback/problem-notice.tsx";
import { Button } from "./primitives/button.tsx";
import { cn } from "./primitives/cn.tsx";
import { controlLook, FieldContext, labelIdOf, useFieldControl } from "./primitives/input.tsx";

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
            <ProblemNotice announce what={failed} why={elsewhere.length > 0 ? elsewhere.map(fieldErrorWords).join(" ") : error.message} />
          </div>
        ) : null}
        {children}
      </form>
    </FormErrors>
  );
}

export const fieldErrorWords = ({ path, message }: FieldError) => asSentence(`${path}: ${message}`);

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

type FieldProps = {
  /** The request's field: in a `Form`, the server's error for it is shown here. */
  name?: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  /** Only screen readers get the label: the page has its words elsewhere. */
  hideLabel?: boolean;
  className?: string;
  children: ReactNode;
};

export function Field({ name, label, hint, error: own, optional = false, hideLabel = false, className, children }: FieldProps) {
  const id = useId();
  const sent = useFieldError(name);
  // Kept until somebody types, or the value is set otherwise.
  const [missed, setMissed] = useState<{ control: Control; words: string } | null>(null);
  useEffect(() => {
    if (missed?.control.validity.valid) setMissed(null);
  });
  const error = missed?.words ?? own ?? sent;
  const wrong = error !== undefined && error !== null && error !== false && error !== "";
  const ids = [wrong ? `${id}-error` : "", hint === undefined ? "" : `${id}-hint`].filter(Boolean).join(" ");
  return (
    <FieldContext value={{ id, describedBy: ids === "" ? undefined : ids, invalid: wrong }}>
      {/* The browser's own bubble would cover the next field, in its own words and language. */}
      <div
        data-field={name}
        className={cn("flex flex-col gap-1.5", className)}
        onInvalidCapture={(event) => {
          event.preventDefault();
          const { target } = event;
          if (!isControl(target)) return;
          setMissed({ control: target, words: invalidWords(target) });
          if (target.form?.querySelector(":is(input, textarea, select):invalid") === target) target.focus();
        }}
        onInput={() => setMissed(null)}
      >
        <label id={labelIdOf(id)} htmlFor={id} className={hideLabel ? "sr-only" : "text-13 font-medium"}>
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

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isControl = (target: EventTarget): target is Control =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** Returns why a field's value can't be sent, in place of the browser's words. */
function invalidWords(control: Control): string {
  const { validity, validationMessage } = control;
  const { type, minLength, min, max } = control as HTMLInputElement;
  if (validity.valueMissing) return type === "checkbox" ? "Tick the box to go on." : "Enter a value.";
  if (validity.typeMismatch)
    return type === "email" ? "Enter an email address, such as you@example.com." : "Enter a URL that begins with https:// or http://.";
  if (validity.tooShort) return `Enter ${minLength} characters or more.`;
  if (validity.rangeUnderflow) return `Enter ${min} or more.`;
  if (validity.rangeOverflow) return `Enter ${max} or less.`;
  if (validity.stepMismatch) return "Enter a whole number.";
  if (validity.badInput) return type === "number" ? "Enter a number." : "Enter a date and a time.";
  if (validity.patternMismatch) return control.title || "Use the format in the example.";
  return validationMessage;
}

type FieldError = { path: string; message: string };

const FormErrors = createContext<readonly FieldError[]>([]);

const fieldErrorsOf = (error: Error | null): readonly FieldError[] => (error instanceof ApiProblem ? error.errors : []);

/** True if the error is of the field or a part of it: `recipients.0` is part of `recipients`. */
const isOf = (name: string, { path }: FieldError): boolean => path === name || path.startsWith(`${name}.`);

function useFieldError(name: string | undefined): string | undefined {
  const errors = useContext(FormErrors);
  const message = name === undefined ? undefined : errors.find((error) => isOf(name, error))?.message;
  return message === undefined ? undefined : message.charAt(0).toUpperCase() + message.slice(1);
}

export function Textarea({
  className,
  rows = 4,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea rows={rows} {...useFieldControl()} className={cn(controlLook, "py-1.5", className)} {...rest} />;
}
