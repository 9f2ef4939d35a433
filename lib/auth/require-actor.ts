import { headers } from "next/headers";
import { forbidden, redirect } from "next/navigation";
import { cache } from "react";
import { safeReturnTo } from "#lib/contracts/safe-urls";
import { type Actor, mayDo } from "./actor.ts";
import { findActor, findPendingStep } from "./find-actor.ts";
import { hasUsers } from "./members/user-store.ts";
import type { Operation } from "./permissions.ts";

/** Looks up once a request, however many components ask. */
export const currentActor = cache(async (): Promise<Actor | null> => findActor(new Headers(await headers()), new Date()));

/** Returns who looks at a page; redirects to sign-in, set-up or second factor, or shows 403. @param returnTo the page's URL */
export async function requireActor(operation: Operation, returnTo?: string): Promise<Actor> {
  const actor = await currentActor();
  if (!actor) redirect(await signInUrl(returnTo));
  if (!mayDo(actor, operation)) forbidden();
  return actor;
}

async function signInUrl(returnTo: string | undefined): Promise<string> {
  if (!(await hasUsers())) return "/setup";
  const path = safeReturnTo(returnTo ?? (await headers()).get("x-signalbox-path"));
  const page = (await findPendingStep(new Headers(await headers()), new Date())) ? "/sign-in/second-factor" : "/sign-in";
  return path === "/" ? page : `${page}?returnTo=${encodeURIComponent(path)}`;
}
