import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";

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
