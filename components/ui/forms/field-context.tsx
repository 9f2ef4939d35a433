"use client";

import { createContext, useContext } from "react";

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean };

export const FieldContext = createContext<FieldControl | null>(null);

/** ID of the label of a control. */
export const labelIdOf = (controlId: string) => `${controlId}-label`;

/** The attributes of a control inside a Field: its ID, and the hint and error that describe it. */
export function useFieldControl(): { id?: string; "aria-describedby"?: string; "aria-invalid"?: true } {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    ...(field.describedBy === undefined ? {} : { "aria-describedby": field.describedBy }),
    ...(field.invalid ? { "aria-invalid": true as const } : {}),
  };
}
