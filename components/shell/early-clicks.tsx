"use client";

import { useEffect } from "react";

/** The listener that the page's first script adds, with the last click that it saw. */
type KeepClick = ((event: MouseEvent) => void) & { last?: MouseEvent };

/** Runs before anything of the page is shown; what it keeps is taken over below. */
const KEEP_LAST_CLICK = `addEventListener("click",window.signalboxKeepClick=function(e){signalboxKeepClick.last=e},true)`;

/** For how long a button is pressed again until its part of the page is hydrated, and for how long clicks are looked after. Milliseconds. */
const GIVE_UP_MS = 15_000;
const RETRY_MS = 50;

/**
 * Passes on clicks on buttons that were not hydrated yet: on a slow machine
 * the server's HTML shows them for a second or more before anything listens.
 * React holds back a click on a part of the page that it is still hydrating
 * and drops it, so such a click never reaches its button: that is how it is
 * recognized. Links, inputs and submit buttons work without JavaScript.
 *
 * @param nonce of the page's Content-Security-Policy
 */
export function EarlyClicks({ nonce }: { nonce: string }) {
  useEffect(passOnClicks, []);
  return (
    <script
      nonce={typeof window === "undefined" ? nonce : ""}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
      dangerouslySetInnerHTML={{ __html: KEEP_LAST_CLICK }}
    />
  );
}

/** @returns what ends it */
function passOnClicks(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const { signalboxKeepClick: keep } = window as Window & { signalboxKeepClick?: KeepClick };
  if (keep) window.removeEventListener("click", keep, true);
  const waiting = buttonOf(keep?.last);
  if (waiting) pressUntilHeard(waiting, signal);
  const watch = (event: MouseEvent) => {
    const button = event.isTrusted ? buttonOf(event) : null;
    if (button) whenUnheard(button, () => pressUntilHeard(button, signal));
  };
  window.addEventListener("click", watch, { capture: true, signal });
  // By then everything is hydrated.
  setTimeout(() => ending.abort(), GIVE_UP_MS);
  return () => ending.abort();
}

const buttonOf = (event: MouseEvent | undefined): HTMLButtonElement | null =>
  event?.target instanceof Element ? event.target.closest<HTMLButtonElement>('button[type="button"]') : null;

/** Calls back when the click that is on its way to the button does not reach it. */
function whenUnheard(button: HTMLButtonElement, callback: () => void): void {
  let heard = false;
  const hear = () => {
    heard = true;
  };
  button.addEventListener("click", hear, true);
  setTimeout(() => {
    button.removeEventListener("click", hear, true);
    if (!heard) callback();
  });
}

function pressUntilHeard(button: HTMLButtonElement, signal: AbortSignal): void {
  if (signal.aborted || !button.isConnected) return;
  whenUnheard(button, () => setTimeout(() => pressUntilHeard(button, signal), RETRY_MS));
  button.click();
}
