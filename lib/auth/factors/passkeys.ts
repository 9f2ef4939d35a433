import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { env } from "#lib/config/env";
import type { PasskeyAssertion, PasskeyBody } from "#lib/contracts/auth/factors";
import { type ChallengePurpose, claimChallenge, insertChallenge } from "./challenge-store.ts";
import { findPasskey, listCredentials, type NewPasskey, type StoredPasskey } from "./passkey-store.ts";

/** Whom passkeys are for: the host of the public URL, from its own pages. */
const relyingParty = () => {
  const { origin, hostname } = new URL(env().APP_URL);
  return { expectedOrigin: origin, expectedRPID: hostname };
};

/** Returns what the browser is asked to make a passkey with (WebAuthn level 3, section 5.4). */
export async function registrationOptions(
  { userId, email, name }: { userId: string; email: string; name: string | null },
  sessionHash: string,
  now: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const options = await generateRegistrationOptions({
    rpName: "Signalbox",
    rpID: relyingParty().expectedRPID,
    userID: new TextEncoder().encode(userId),
    userName: email,
    userDisplayName: name ?? email,
    attestationType: "none",
    excludeCredentials: (await listCredentials(userId)) as { id: string }[],
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  await insertChallenge(options.challenge, sessionHash, "register", now);
  return options;
}

/** Returns the passkey that a browser has made; null for an answer that doesn't verify. */
export async function verifyRegistration({ name, response }: PasskeyBody, sessionHash: string, now: Date): Promise<NewPasskey | null> {
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: (challenge) => claimChallenge(challenge, sessionHash, "register", now),
    requireUserVerification: false,
    ...relyingParty(),
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return { credentialId: id, name, publicKey, counter, transports: response.response.transports, now };
}

/**
 * Returns what the browser is asked to sign with a passkey.
 *
 * @param boundTo the hash of the session's id, or of the browser's cookie
 * @param userId whose passkeys will do; null for any that the browser has, with user verification
 */
export async function authenticationOptions(
  boundTo: string,
  userId: string | null,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().expectedRPID,
    userVerification: userId === null ? "required" : "preferred",
    ...(userId !== null && { allowCredentials: (await listCredentials(userId)) as { id: string }[] }),
  });
  await insertChallenge(options.challenge, boundTo, userId === null ? "sign_in" : "prove", now);
  return options;
}

/** A signature that verifies, and the authenticator's new counter. */
export type ProvenPasskey = { passkey: StoredPasskey; counter: number };

/**
 * Checks what a passkey has signed. Its challenge is used up, whatever comes of it. As a sign-in by itself the
 * authenticator must have verified its user.
 *
 * @returns null for an unknown credential, another browser's challenge, a counter that went back, a wrong signature
 */
export async function verifyAssertion(
  response: PasskeyAssertion,
  boundTo: string,
  purpose: Exclude<ChallengePurpose, "register">,
  now: Date,
): Promise<ProvenPasskey | null> {
  const passkey = await findPasskey(response.id);
  const { userHandle } = response.response;
  if (!passkey || (userHandle && Buffer.from(userHandle, "base64url").toString() !== passkey.userId)) return null;
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => claimChallenge(challenge, boundTo, purpose, now),
    credential: { id: response.id, publicKey: passkey.publicKey, counter: passkey.counter },
    requireUserVerification: purpose === "sign_in",
    ...relyingParty(),
  }).catch(() => null);
  return verified?.verified ? { passkey, counter: verified.authenticationInfo.newCounter } : null;
}
