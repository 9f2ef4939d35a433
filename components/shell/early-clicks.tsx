"use client";

import { useEffect } from "react";

type EarlyClicks = {
  /** The last button pressed whose click nothing has handled yet. */
  button?: HTMLElement | undefined;
  passOn?: (() => void) | undefined;
  end: () => void;
};
type Page = Window & { signalboxEarlyClicks?: EarlyClicks };

/** Interval between tries, and time after which everything is hydrated. Milliseconds. */
const RETRY_MS = 50;
const GIVE_UP_MS = 15_000;

/** Repeats clicks on buttons not hydrated yet: a slow machine shows them a second before. Links and submit buttons work anyway. */
export function EarlyClicks({ nonce }: { nonce: string }) {
  useEffect(passOnClicks, []);
  return (
    <script
      nonce={typeof window === "undefined" ? nonce : ""}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a function of this file
      dangerouslySetInnerHTML={{ __html: `(${watchEarlyClicks.toString()})()` }}
    />
  );
}

/**
 * Runs before the page is shown, so it uses nothing from outside. A click is unhandled while React is missing, or if it never reaches
 * its button: React stops and drops a click on a part that it is still hydrating. A prevented click was handled.
 * If React renamed its mark on the document, a click during the first hydration would be repeated.
 */
function watchEarlyClicks(): void {
  const watch = (event: MouseEvent) => {
    const { target } = event;
    const button = target instanceof Element ? target.closest<HTMLElement>('button[type="button"]') : null;
    if (!button) return;
    const react = Object.keys(document).some((key) => key.startsWith("__reactContainer"));
    let reached = false;
    const reach = () => {
      reached = true;
    };
    button.addEventListener("click", reach, true);
    setTimeout(() => {
      button.removeEventListener("click", reach, true);
      if (react && (reached || event.defaultPrevented)) return;
      early.button = button;
      early.passOn?.();
    });
  };
  const early: EarlyClicks = { end: () => removeEventListener("click", watch, true) };
  addEventListener("click", watch, true);
  (window as Page).signalboxEarlyClicks = early;
}

function passOnClicks(): () => void {
  const early = (window as Page).signalboxEarlyClicks;
  if (!early) return () => {};
  const press = () => {
    const { button } = early;
    early.button = undefined;
    if (button?.isConnected) button.click();
  };
  early.passOn = () => setTimeout(press, RETRY_MS);
  press();
  const over = setTimeout(early.end, GIVE_UP_MS);
  return () => {
    clearTimeout(over);
    early.passOn = undefined;
  };
}
