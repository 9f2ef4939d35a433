import { type ClassValue, clsx } from "clsx";
import { createTailwindMerge } from "tailwind-merge";
import { CLASS_GROUPS, CONFLICTS } from "./class-groups.tsx";

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: CLASS_GROUPS,
  conflictingClassGroups: CONFLICTS,
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: [
    "*",
    "**",
    "after",
    "before",
    "backdrop",
    "details-content",
    "file",
    "first-letter",
    "first-line",
    "marker",
    "placeholder",
    "selection",
  ],
}));

/** Joins class names; of two that set the same property, the later wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
