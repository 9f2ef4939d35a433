import { signIn } from "next-auth/react";

const WORDS: Record<string, string> = {
  CredentialsSignin: "The e-mail address or the password is not right.",
  locked: "Too many tries for this address. Wait a few minutes, then try again.",
  unavailable: "Sign-in does not work just now: Signalbox can't reach its database. Try again in a minute.",
  AccessDenied: "This account is not a member of the workspace. Ask an owner or admin to add you.",
  SessionRequired: "Sign in to see this page.",
};

/** A sign-in error's code in words. */
export const signInWords = (code: string): string => WORDS[code] ?? "Sign-in did not work. Try again.";

/** Signs in with e-mail and password; answers null when it worked, else the reason in words. */
export async function signInWithPassword(email: string, password: string): Promise<string | null> {
  try {
    const answer = await signIn("credentials", { email, password, redirect: false });
    if (answer?.ok && !answer.error) return null;
    return signInWords(answer?.error ?? "");
  } catch {
    return "Signalbox does not answer. Check that it runs and that you are online, then try again.";
  }
}

/** Leaves for the single sign-on provider. */
export const signInElsewhere = (returnTo: string) => signIn("oidc", { callbackUrl: returnTo });
