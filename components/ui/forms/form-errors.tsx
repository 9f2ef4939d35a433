"use client";

import { createContext, useContext } from "react";
import { ApiProblem } from "#lib/client/fetch/api-problem";

export type FieldError = { path: string; message: string };

export const FormErrors = createContext<readonly FieldError[]>([]);

export const fieldErrorsOf = (error: Error | null): readonly FieldError[] => (error instanceof ApiProblem ? error.errors : []);

/** True if the error is of the field or a part of it: `recipients.0` is part of `recipients`. */
export const isOf = (name: string, { path }: FieldError): boolean => path === name || path.startsWith(`${name}.`);

export function useFieldError(name: string | undefined): string | undefined {
  const errors = useContext(FormErrors);
  const message = name === undefined ? undefined : errors.find((error) => isOf(name, error))?.message;
  return message === undefined ? undefined : message.charAt(0).toUpperCase() + message.slice(1);
}
