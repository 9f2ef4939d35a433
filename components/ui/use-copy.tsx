"use client";

import { useEffect, useRef, useState } from "react";
import { toast } from "#components/ui/toast";

/** Puts text on the clipboard; `copied` is true for a moment after it worked. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast.error("Could not copy", { description: "The browser does not allow it here. Select the text and copy it by hand." });
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 1500);
  }
  return { copied, copy };
}
