import { useState } from "react";
import { Field } from "#components/ui/form";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import type { HmacSettings, JwtSettings, SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplate, SourceTemplateName } from "#lib/contracts/sources/templates";
import { ChallengeFields, challengeOfForm, fitsFields } from "./challenge-fields.tsx";
import { AdvancedSignature, given, hmacOfForm, type Setting, SettingField } from "./signature-fields.tsx";

const ALGORITHMS = [
  { value: "sha256", label: "HMAC-SHA256" },
  { value: "sha512", label: "HMAC-SHA512" },
  { value: "sha1", label: "HMAC-SHA1" },
];
const ENCODINGS = [
  { value: "hex", label: "Hexadecimal" },
  { value: "base64", label: "Base64" },
];

/** `known`: what the template says, once it is loaded. */
type SchemeFieldsProps = { template: SourceTemplateName; known?: SourceTemplate | undefined; settings?: SchemeSettings };

/** Senders that are described by hand: what they ask may be described, too. */
const DESCRIBED: ReadonlySet<SourceTemplateName> = new Set(["hmac", "jwt", "token", "basic", "network"]);

export function SchemeFields({ template, known, settings = {} }: SchemeFieldsProps) {
  return (
    <>
      <ProofFields takes={known?.takes ?? template} header={known?.headers[0]} settings={settings} />
      {DESCRIBED.has(template) ? <ChallengeFields settings={settings} /> : null}
    </>
  );
}

type ProofFieldsProps = { takes: string; header: string | undefined; settings: SchemeSettings };

function ProofFields({ takes, header, settings }: ProofFieldsProps) {
  if (takes === "hmac") return <HmacFields settings={settings.hmac} />;
  if (takes === "jwt") return <JwtFields settings={settings.jwt} />;
  if (takes === "token")
    return (
      <>
        <Field name="scheme.token.header" label="Header" hint="The header that carries the token.">
          <Input
            name="header"
            defaultValue={settings.token?.header ?? header ?? "authorization"}
            required
            maxLength={100}
            spellCheck={false}
          />
        </Field>
        <Field
          name="scheme.token.prefix"
          label="Text before the token"
          hint="Bearer and a space, in most cases. Leave it empty for the bare token."
        >
          <Input
            name="prefix"
            defaultValue={settings.token?.prefix ?? (header === undefined || header === "authorization" ? "Bearer " : "")}
            maxLength={20}
            spellCheck={false}
          />
        </Field>
      </>
    );
  if (takes === "sns")
    return (
      <Field
        name="scheme.sns.topics"
        label="Topics"
        hint="Their ARNs, separated by commas. Messages of other topics are rejected; subscriptions to these are confirmed."
      >
        <Input
          name="topics"
          defaultValue={settings.sns?.topics.join(", ")}
          placeholder="arn:aws:sns:eu-west-1:123456789012:orders"
          required
          spellCheck={false}
          className="font-mono"
        />
      </Field>
    );
  if (takes === "network")
    return (
      <Field name="scheme.network.networks" label="Networks" hint="IP addresses or networks, separated by commas, such as 10.0.0.0/8.">
        <Input name="networks" defaultValue={settings.network?.networks.join(", ")} required spellCheck={false} />
      </Field>
    );
  return null;
}

function HmacFields({ settings }: { settings: HmacSettings | undefined }) {
  const [algorithm, setAlgorithm] = useState<string>(settings?.algorithm ?? "sha256");
  const [encoding, setEncoding] = useState<string>(settings?.encoding ?? "hex");
  return (
    <>
      <Field
        name="scheme.hmac.header"
        label="Header"
        hint="The header that carries the signature. Left empty if it stands elsewhere (below)."
      >
        <Input name="header" defaultValue={settings?.header} placeholder="x-signature" maxLength={100} spellCheck={false} />
      </Field>
      <Field name="scheme.hmac.prefix" label="Text before the signature" hint="Such as sha256=. Leave it empty if there is none.">
        <Input name="prefix" defaultValue={settings?.prefix} maxLength={20} spellCheck={false} />
      </Field>
      <Field name="scheme.hmac.algorithm" label="Algorithm">
        <Select options={ALGORITHMS} value={algorithm} onValueChange={setAlgorithm} />
      </Field>
      <Field name="scheme.hmac.encoding" label="Written in">
        <Select options={ENCODINGS} value={encoding} onValueChange={setEncoding} />
      </Field>
      <Field
        name="scheme.hmac.content"
        label="Signed content"
        hint="{body} once, and {timestamp}, {id}, {url} or {method} if the sender signs them, such as {timestamp}.{body}. If it signs only fields of the body: {body:event.time}{body:event.type}."
      >
        <Input
          name="content"
          defaultValue={settings?.content ?? "{body}"}
          required
          maxLength={300}
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      <Field
        name="scheme.hmac.timestampHeader"
        label="Timestamp header"
        hint="For {timestamp}. Leave it empty if the sender signs no timestamp, or beside the signature."
      >
        <Input name="timestampHeader" defaultValue={settings?.timestampHeader} maxLength={100} spellCheck={false} />
      </Field>
      <input type="hidden" name="algorithm" value={algorithm} />
      <input type="hidden" name="encoding" value={encoding} />
      <AdvancedSignature settings={settings} />
    </>
  );
}

const JWT_SETTINGS: readonly Setting[] = [
  {
    name: "jwtAlgorithm",
    label: "Algorithm",
    options: [
      { value: "RS256", label: "RS256" },
      { value: "ES256", label: "ES256" },
      { value: "EdDSA", label: "EdDSA" },
      { value: "HS256", label: "HS256, with a shared secret" },
    ],
  },
  { name: "jwtHeader", label: "Header with the token", hint: "Left empty: the body is the token." },
  { name: "jwtPrefix", label: "Text before the token", hint: "Such as Bearer and a space." },
  { name: "bodyClaim", label: "Claim with the body's SHA-256", hint: "Without it, a token in a header says nothing about the body." },
  { name: "jwks", label: "URL of the sender's keys (JWKS)", hint: "Fetched in the background. Left empty: the secret is the key." },
  { name: "issuer", label: "Issuer", hint: "What the token must say in iss." },
  { name: "audience", label: "Audience", hint: "What the token must say in aud." },
];

function JwtFields({ settings }: { settings: JwtSettings | undefined }) {
  const values: Record<string, string | undefined> = {
    jwtAlgorithm: settings?.algorithm,
    jwtHeader: settings?.header,
    jwtPrefix: settings?.prefix,
    bodyClaim: settings?.bodyClaim,
    jwks: settings?.jwks,
    issuer: settings?.issuer,
    audience: settings?.audience,
  };
  return JWT_SETTINGS.map((setting) => (
    <SettingField key={setting.name} setting={setting} path="scheme.jwt" value={values[setting.name]} />
  ));
}

function jwtOfForm(form: FormData, settings: JwtSettings | undefined): JwtSettings {
  const read = {
    ...{ header: given(form, "jwtHeader")?.trim().toLowerCase(), prefix: given(form, "jwtPrefix") },
    ...{ bodyClaim: given(form, "bodyClaim")?.trim(), jwks: given(form, "jwks")?.trim() },
    ...{ issuer: given(form, "issuer"), audience: given(form, "audience") },
    ...{ bodyEncoding: given(form, "bodyClaim") === undefined ? undefined : settings?.bodyEncoding },
  };
  const algorithm = (given(form, "jwtAlgorithm") ?? "RS256") as JwtSettings["algorithm"];
  const texts = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as Partial<JwtSettings>;
  return { algorithm, toleranceSeconds: settings === undefined ? 300 : settings.toleranceSeconds, ...texts };
}

/** Returns null if the sender needs no settings. What the fields can't hold stays as it is. */
export function schemeOfForm(takes: string, form: FormData, settings: SchemeSettings = {}): SchemeSettings | null {
  const text = (name: string) => String(form.get(name) ?? "");
  const list = (name: string) =>
    text(name)
      .split(/[\s,]+/)
      .filter(Boolean);
  const { challenges, answer } = settings;
  const kept = { ...(challenges && { challenges }), ...(answer && { answer }) };
  const asked = fitsFields(settings) ? challengeOfForm(form) : kept;
  switch (takes) {
    case "token":
      return { token: { header: text("header").trim().toLowerCase(), prefix: text("prefix") }, ...asked };
    case "network":
      return { network: { networks: list("networks") }, ...asked };
    case "sns":
      return { sns: { topics: list("topics") } };
    case "hmac":
      return { hmac: hmacOfForm(form, settings.hmac), ...asked };
    case "jwt":
      return { jwt: jwtOfForm(form, settings.jwt), ...asked };
    case "basic":
      return asked;
    default:
      return null;
  }
}
