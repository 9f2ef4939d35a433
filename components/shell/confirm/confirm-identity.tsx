"use client";

import { useEffect, useState } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { askBy, type ProofKind } from "#lib/client/fetch/confirmation";

const ConfirmDialog = lazyComponent(() => import("./identity-dialog.tsx").then((module) => module.IdentityDialog));

type Waiting = { kind: ProofKind; answer: (confirmed: boolean) => void };

/** Asks the user to confirm their identity when a request requires it. Requests that ask at the same time are answered together. */
export function ConfirmIdentity() {
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
