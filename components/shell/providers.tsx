"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { requestToaster, useToasterRequested } from "#components/ui/feedback/toast";
import { askBy, type ProofKind } from "#lib/client/fetcher";
import { setOwnBuild } from "#lib/client/own-build";
import { createQueryClient } from "#lib/client/query-client";

type ProvidersProps = {
  /** That of the Content-Security-Policy, for libraries that write styles into the page. */
  nonce: string;
  build: string;
  children: ReactNode;
};

export function Providers({ nonce: current, build, children }: ProvidersProps) {
  const [queries] = useState(createQueryClient);
  // Later responses for this page carry another nonce; the document's policy has only the first.
  const [nonce] = useState(() => {
    if (typeof window !== "undefined") {
      setNonce(current);
      setOwnBuild(build);
    }
    return current;
  });
  return (
    <QueryClientProvider client={queries}>
      <EarlyClicks nonce={nonce} />
      <ThemeProvider nonce={nonce} attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
        {children}
        <ConfirmIdentity />
        <Toaster />
      </ThemeProvider>
    </QueryClientProvider>
  );
}

const ConfirmDialog = lazyComponent(() => import("./identity-dialog.tsx").then((module) => module.IdentityDialog));

type Waiting = { kind: ProofKind; answer: (confirmed: boolean) => void };

/** Asks the user to confirm their identity when a request requires it. Requests that ask at the same time are answered together. */
function ConfirmIdentity() {
  const [waiting, setWaiting] = useState<Waiting[]>([]);
  useEffect(() => {
    askBy((kind) => new Promise((answer) => setWaiting((others) => [...others, { kind, answer }])));
    return () => askBy(null);
  }, []);
  const [first] = waiting;
  if (!first) return null;
  const end = (confirmed: boolean) => {
    for (const { answer } of waiting) answer(confirmed);
    setWaiting([]);
  };
  return <ConfirmDialog kind={first.kind} onEnd={end} />;
}

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
function EarlyClicks({ nonce }: { nonce: string }) {
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

const Toasts = lazyComponent(() => import("#components/ui/feedback/toasts").then((module) => module.Toasts), true);

/** Loads toasts with the first click or key, because screen readers must know the region before it has text. */
export function Toaster() {
  const shown = useToasterRequested();
  useEffect(() => {
    const once = { once: true, capture: true };
    for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, requestToaster, once);
    return () => {
      for (const press of ["pointerdown", "keydown"]) document.removeEventListener(press, requestToaster, once);
    };
  }, []);
  return shown ? <Toasts /> : null;
}
