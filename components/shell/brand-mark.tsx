"use client";

import { createContext, useContext } from "react";
import { cn } from "#components/ui/primitives/cn";

export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={cn("size-5 shrink-0", className)}>
      <rect x="1" y="1" width="18" height="18" rx="5" className="fill-accent" />
      <circle cx="5.75" cy="10" r="1.6" className="fill-accent-contrast opacity-45" />
      <circle cx="10" cy="10" r="1.6" className="fill-accent-contrast opacity-45" />
      <circle cx="14.25" cy="10" r="2.1" className="fill-accent-contrast" />
    </svg>
  );
}

export const ProductVersion = createContext("");

export const useProductVersion = (): string => useContext(ProductVersion);
