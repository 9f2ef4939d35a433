import { createHash, timingSafeEqual } from "node:crypto";
import type { TokenSettings } from "#lib/contracts/sources/scheme-settings";
import { readOnce, type Scheme } from "./scheme.ts";

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
      if (!given.text.startsWith(prefix)) return { outcome: "signature_malformed" };
      const match = secrets.find(({ value }) => equal(given.text.slice(prefix.length), value));
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
