import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

type Options = { challenge: string };
/** Faults that an honest authenticator would not have: each field is a separate one. */
type Lies = {
  origin?: string;
  host?: string;
  counter?: number;
  userVerified?: boolean;
  userPresent?: boolean;
  type?: string;
  userHandle?: string;
};

const FLAGS = { userPresent: 1, userVerified: 4, attested: 64 };
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** An authenticator in software: one credential on P-256, with a counter (WebAuthn level 3, section 6). */
export class Authenticator {
  readonly id = base64url(randomBytes(32));
  counter = 0;
  private readonly privateKey: KeyObject;
  private readonly coseKey: Uint8Array;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.privateKey = privateKey;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.coseKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]),
    );
  }

  /** Returns what the browser answers to a registration. */
  register({ challenge }: Options, lies: Lies = {}) {
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.coseKey]);
    const authData = new Uint8Array(Buffer.concat([this.data(lies, FLAGS.attested), attested]));
    const attestation = new Map<string, string | Uint8Array | Map<string, never>>([
      ["fmt", "none"],
      ["attStmt", new Map<string, never>()],
      ["authData", authData],
    ]);
    const response = {
      clientDataJSON: clientData("webauthn.create", challenge, lies),
      attestationObject: base64url(isoCBOR.encode(attestation)),
      transports: ["internal"],
    };
    return { id: this.id, rawId: this.id, type: "public-key", response, clientExtensionResults: {} };
  }

  /** Returns what the browser answers to an authentication. */
  sign({ challenge }: Options, lies: Lies = {}) {
    this.counter += 1;
    const authenticatorData = this.data(lies);
    const clientDataJSON = clientData("webauthn.get", challenge, lies);
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signature = createSign("sha256")
      .update(Buffer.concat([authenticatorData, hash]))
      .sign(this.privateKey);
    const response = {
      clientDataJSON,
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      ...(lies.userHandle && { userHandle: base64url(Buffer.from(lies.userHandle)) }),
    };
    return { id: this.id, rawId: this.id, type: "public-key", response, clientExtensionResults: {} };
  }

  private data({ host = "localhost", counter = this.counter, userPresent = true, userVerified = true }: Lies, more = 0): Buffer {
    const flags = (userPresent ? FLAGS.userPresent : 0) | (userVerified ? FLAGS.userVerified : 0) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash("sha256").update(host).digest(), Buffer.from([flags]), count]);
  }
}

const clientData = (type: string, challenge: string, lies: Lies): string =>
  base64url(
    Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin: lies.origin ?? "http://localhost:3000", crossOrigin: false })),
  );
