"use client";

import { createContext, useContext } from "react";

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean };

export const FieldContext = createContext<FieldControl | null>(null);

export const labelIdOf = (controlId: string) => `${controlId}-label`;

export function useFieldControl(): { id?: string; "aria-describedby"?: string; "aria-invalid"?: true } {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    ...(field.describedBy === undefined ? {} : { "aria-describedby": field.describedBy }),
    ...(field.invalid ? { "aria-invalid": true as const } : {}),
  };
}
