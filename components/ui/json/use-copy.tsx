"use client";

import { useEffect, useRef, useState } from "react";
import { toast } from "#components/ui/feedback/toast";

/** Copies text and resolves to true if that worked, after a toast if not; `copied` is true for a moment afterwards. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast.error("Couldn't copy", { description: "Your browser blocked clipboard access. Select the text and copy it manually." });
      return false;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 1500);
    return true;
  }
  return { copied, copy };
}
