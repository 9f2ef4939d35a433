"use client";

import { type ReactNode, useState } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { ApiProblem } from "#lib/client/fetch/api-problem";

const ConfirmPassword = lazyComponent(() => import("./confirm-password.tsx").then((module) => module.ConfirmPassword));

type Waiting = { confirmed: () => void; cancelled: () => void };

/**
 * For actions that need a recent proof of who the person is.
 *
 * @returns `run` performs the action; when the server asks for a confirmation it waits for the password, then performs it
 *   again. `dialog` has to be rendered.
 */
export function useConfirmed(): { run: <T>(action: () => Promise<T>) => Promise<T>; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  async function run<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== "confirmation_required") throw error;
      await new Promise<void>((resolve, reject) => setWaiting({ confirmed: resolve, cancelled: () => reject(error) }));
      return action();
    }
  }
  const end = (how: keyof Waiting) => () => {
    waiting?.[how]();
    setWaiting(null);
  };
  return { run, dialog: waiting ? <ConfirmPassword onConfirmed={end("confirmed")} onCancel={end("cancelled")} /> : null };
}
