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
import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";
import { env } from "#lib/config/env";
import type { PasskeyAssertion, PasskeyBody } from "#lib/contracts/auth/account";
import {
  type ChallengePurpose,
  claimChallenge,
  findPasskey,
  insertChallenge,
  listCredentials,
  type NewPasskey,
  type StoredPasskey,
} from "./passkey-store.ts";

/** Limits passkeys to the public URL's host and its own pages. */
const relyingParty = () => {
  const { origin, hostname } = new URL(env().APP_URL);
  return { expectedOrigin: origin, expectedRPID: hostname };
};

/** Returns creation options (WebAuthn level 3, section 5.4). */
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

/** Returns request options. @param boundTo hash of the session's ID or browser's cookie @param userId null: any passkey, verified */
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

/** `counter`: the authenticator's new one. */
export type ProvenPasskey = { passkey: StoredPasskey; counter: number };

/** Verifies a signature and always uses up its challenge; null also for a counter that went back. */
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

/** The parameters that every authenticator app supports (RFC 6238). */
const PARAMETERS = { issuer: "Signalbox", algorithm: "SHA1", digits: 6, period: 30 };

/** Clocks may differ by this many periods. */
const WINDOW = 1;

const totpOf = (secret: string, label = "") => new TOTP({ ...PARAMETERS, label, secret: Secret.fromBase32(secret) });

/** Returns 160 bits in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns a QR code as one SVG path in a square of `size` modules, so that a page needs no foreign markup. */
export function totpQr(secret: string, email: string): { size: number; path: string } {
  const { size, data } = encode(totpOf(secret, email).toString(), { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { size, path };
}

/** Returns a code's time step, at most one period early or late; null for a wrong code. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token, timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: PARAMETERS.period, timestamp }) + delta;
}
