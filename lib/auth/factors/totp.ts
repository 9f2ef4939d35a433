import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";

/** As every authenticator app knows it (RFC 6238): SHA-1, six digits, 30 seconds. */
const PARAMETERS = { issuer: "Signalbox", algorithm: "SHA1", digits: 6, period: 30 };

/** Clocks may differ by so many periods. */
const WINDOW = 1;

const totpOf = (secret: string, label = "") => new TOTP({ ...PARAMETERS, label, secret: Secret.fromBase32(secret) });

/** Returns a new secret of 160 bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/**
 * Returns the QR code of a secret as a path in a square of modules, so that a page draws it without markup of others.
 *
 * @param email names the account in the app
 */
export function totpQr(secret: string, email: string): { size: number; path: string } {
  const { size, data } = encode(totpOf(secret, email).toString(), { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { size, path };
}

/** Returns the time step that a code belongs to, one period early or late at most; null for a wrong code. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token, timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: PARAMETERS.period, timestamp }) + delta;
}
