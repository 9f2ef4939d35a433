"use client";

import { useEffect } from "react";

/** State shared by the page's first script and the component. */
type EarlyClicks = {
  /** The button that was pressed last, and that nothing has heard of yet. */
  button?: HTMLElement | undefined;
  /** Called when there is one. */
  passOn?: (() => void) | undefined;
  /** Ends the watch over clicks. */
  end: () => void;
};
type Page = Window & { signalboxEarlyClicks?: EarlyClicks };

/** A button is pressed again so often until its part of the page is hydrated, and for so long. Milliseconds. */
const RETRY_MS = 50;
const GIVE_UP_MS = 15_000;

/**
 * Passes on clicks on buttons that were not hydrated yet: on a slow machine
 * the server's HTML shows them for a second or more before anything listens.
 * Links, inputs and submit buttons work without JavaScript.
 *
 * @param nonce of the page's Content-Security-Policy
 */
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
 * Runs in the page before anything of it is shown, so it uses nothing from
 * outside. A click is unheard while React is not there, and when it does not
 * reach its button: React stops one on a part of the page that it is still
 * hydrating, and drops it. One that something has prevented was heard. (Were
 * React's mark on the document to change, a click during the first hydration
 * would count as unheard, and be repeated.)
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

/** Presses the button that waits; the watch over clicks says when that was unheard, too. @returns what ends it */
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
  // By then everything is hydrated.
  const over = setTimeout(early.end, GIVE_UP_MS);
  return () => {
    clearTimeout(over);
    early.passOn = undefined;
  };
}
