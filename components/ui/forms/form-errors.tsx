"use client";

import { createContext, useContext } from "react";
import { ApiProblem } from "#lib/client/fetch/api-problem";

export type FieldError = { path: string; message: string };

/** The errors of the form's last request, by the request's fields. */
export const FormErrors = createContext<readonly FieldError[]>([]);

/** Returns what the server said of each field of a request; empty where it rejected the request as a whole. */
export const fieldErrorsOf = (error: Error | null): readonly FieldError[] => (error instanceof ApiProblem ? error.errors : []);

/** True for an error of the field, or of a part of it: `recipients.0` is of `recipients`. */
export const isOf = (name: string, { path }: FieldError): boolean => path === name || path.startsWith(`${name}.`);

/** Returns what the server said of a field of the form, as a sentence; undefined for nothing. */
export function useFieldError(name: string | undefined): string | undefined {
  const errors = useContext(FormErrors);
  const message = name === undefined ? undefined : errors.find((error) => isOf(name, error))?.message;
  return message === undefined ? undefined : message.charAt(0).toUpperCase() + message.slice(1);
}
