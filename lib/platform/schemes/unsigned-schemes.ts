import { createHash, timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { NetworkSettings, SchemeSettings, TokenSettings } from "#lib/contracts/sources/scheme-settings";
import { afterPrefix, readOnce, type Scheme } from "./scheme.ts";

const hash = (text: string) => createHash("sha256").update(text).digest();
const equal = (one: string, other: string) => timingSafeEqual(hash(one), hash(other));

/** Makes a scheme of a secret in a header: it proves that the sender knows the secret, and nothing about the body. */
export function tokenScheme({ header, prefix }: TokenSettings): Scheme {
  return {
    trust: "token",
    headers: [header],
    secretHeader: header,
    needsSecret: true,
    verify({ headers }, secrets) {
      const given = readOnce(headers[header]);
      if (!("text" in given)) return given;
      const credentials = afterPrefix(given.text, prefix);
      if (credentials === null) return { outcome: "signature_malformed" };
      const match = secrets.find(({ value }) => equal(credentials, value));
      return match ? { outcome: "verified", form: "token", secretId: match.id } : { outcome: "signature_mismatch" };
    },
    sign: ({ secret }) => ({ [header]: `${prefix}${secret}` }),
  };
}

/** Makes the scheme of Basic authentication (RFC 7617): the secret is `user:password`. */
export function basicScheme(): Scheme {
  const encoded = (secret: string) => Buffer.from(secret).toString("base64");
  const token = tokenScheme({ header: "authorization", prefix: "Basic " });
  return {
    ...token,
    verify: (request, secrets, now) =>
      token.verify(
        request,
        secrets.map(({ id, value }) => ({ id, value: encoded(value) })),
        now,
      ),
    sign: (request) => token.sign({ ...request, secret: encoded(request.secret) }),
  };
}

/** Verifies only the sender's network: nothing is signed. For senders inside one's own network. */
export function networkScheme({ networks }: NetworkSettings): Scheme {
  const ranges = networks.map((network) => (network.includes("/") ? ipaddr.parseCIDR(network) : wholeAddress(network)));
  return {
    trust: "network",
    headers: [],
    needsSecret: false,
    verify({ remoteAddress }) {
      if (remoteAddress === null || !ipaddr.isValid(remoteAddress)) return { outcome: "network_unknown" };
      const address = ipaddr.process(remoteAddress);
      const inside = ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
      return inside ? { outcome: "verified", form: "network", secretId: "none" } : { outcome: "network_unknown" };
    },
    sign: () => ({}),
  };
}

/** The widest networks that count as one's own; IPv6 has a wider block for private use (fc00::/7, RFC 4193). */
const WIDEST = { ipv4: 8, ipv6: 16 };

/** True for an IP address or a CIDR network, written in full; false for the whole internet, or half of it. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  if (more.length > 0 || !(ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && address.includes(":"))))
    return false;
  if (bits === undefined) return true;
  if (!ipaddr.isValidCIDR(text)) return false;
  const network = ipaddr.parse(address);
  if (network.toString().startsWith("::ffff:")) return false;
  return Number(bits) >= WIDEST[network.kind()] || (network.range() === "uniqueLocal" && Number(bits) >= 7);
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** Time for which requests of an unknown sender are kept to learn from. */
export const LEARNING_MS = 600_000;

/** Verifies nothing until the sender is known. */
export const unknownScheme = ({ unknown }: SchemeSettings): Scheme => ({
  trust: "signed",
  headers: [],
  provenBy: "a signature",
  needsSecret: false,
  learnsUntil: Date.parse(unknown?.until ?? ""),
  verify: () => ({ outcome: "signature_missing" }),
  explain: () => ({
    verdict: "It isn't known yet how this source's sender signs.",
    fix: "Paste the sender's secret under Settings > Sources and secrets: Signalbox tries it with every known scheme. Then verify this request again.",
  }),
  sign: () => ({}),
});

/** True if the time to learn is over: nothing is accepted until a person sets the sender. */
export const hasLearned = ({ learnsUntil }: Scheme, now: number): boolean => learnsUntil !== undefined && !(learnsUntil > now);
