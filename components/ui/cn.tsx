import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** Our sizes are numbers (`text-13`), which tailwind-merge would take for colours. */
const merge = extendTailwindMerge({
  extend: {
    classGroups: {
      "font-size": [{ text: ["12", "13", "14", "16", "20", "28"] }],
      shadow: [{ shadow: ["raised"] }],
    },
  },
});

/** Joins class names; of two that say the same thing, the later wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
