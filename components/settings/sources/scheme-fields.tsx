import { useState } from "react";
import { Field } from "#components/ui/form";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import type { HmacSettings, SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";

const ALGORITHMS = [
  { value: "sha256", label: "HMAC-SHA256" },
  { value: "sha512", label: "HMAC-SHA512" },
  { value: "sha1", label: "HMAC-SHA1" },
];
const ENCODINGS = [
  { value: "hex", label: "Hexadecimal" },
  { value: "base64", label: "Base64" },
];

type SchemeFieldsProps = { template: SourceTemplateName; settings?: SchemeSettings };

export function SchemeFields({ template, settings = {} }: SchemeFieldsProps) {
  if (template === "hmac") return <HmacFields settings={settings.hmac} />;
  if (template === "token")
    return (
      <>
        <Field name="scheme.token.header" label="Header" hint="The header that carries the token.">
          <Input name="header" defaultValue={settings.token?.header ?? "authorization"} required maxLength={100} spellCheck={false} />
        </Field>
        <Field
          name="scheme.token.prefix"
          label="Text before the token"
          hint="Bearer and a space, in most cases. Leave it empty for the bare token."
        >
          <Input name="prefix" defaultValue={settings.token?.prefix ?? "Bearer "} maxLength={20} spellCheck={false} />
        </Field>
      </>
    );
  if (template === "sns")
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
  if (template === "network")
    return (
      <Field name="scheme.network.networks" label="Networks" hint="IP addresses or networks, separated by commas, such as 10.0.0.0/8.">
        <Input name="networks" defaultValue={settings.network?.networks.join(", ")} required spellCheck={false} />
      </Field>
    );
  return null;
}

/** True if the fields can hold the settings: others came through the API or were learnt. */
const fitsFields = ({ format, key, idHeader }: HmacSettings) => format === "plain" && key === "text" && idHeader === undefined;

function HmacFields({ settings }: { settings: HmacSettings | undefined }) {
  const [algorithm, setAlgorithm] = useState<string>(settings?.algorithm ?? "sha256");
  const [encoding, setEncoding] = useState<string>(settings?.encoding ?? "hex");
  if (settings && !fitsFields(settings))
    return <p className="text-13 text-muted">These signature settings can only be changed with the API: PATCH /api/v1/sources.</p>;
  return (
    <>
      <Field name="scheme.hmac.header" label="Header" hint="The header that carries the signature.">
        <Input name="header" defaultValue={settings?.header} placeholder="x-signature" required maxLength={100} spellCheck={false} />
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
      <Field label="Signed content" hint="{body} exactly once; {timestamp} and {url} if the sender signs them, such as {timestamp}.{body}.">
        <Input
          name="content"
          defaultValue={settings?.content ?? "{body}"}
          required
          maxLength={200}
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      <Field
        name="scheme.hmac.timestampHeader"
        label="Timestamp header"
        hint="In Unix seconds, for {timestamp}. Leave it empty if the sender signs no timestamp."
      >
        <Input name="timestampHeader" defaultValue={settings?.timestampHeader} maxLength={100} spellCheck={false} />
      </Field>
      <input type="hidden" name="algorithm" value={algorithm} />
      <input type="hidden" name="encoding" value={encoding} />
    </>
  );
}

/** Returns null if the sender needs no settings, or the fields can't hold them. */
export function schemeOfForm(template: SourceTemplateName, form: FormData, settings: SchemeSettings = {}): SchemeSettings | null {
  if (settings.hmac && !fitsFields(settings.hmac)) return null;
  const text = (name: string) => String(form.get(name) ?? "");
  if (template === "token") return { token: { header: text("header").trim().toLowerCase(), prefix: text("prefix") } };
  const list = (name: string) =>
    text(name)
      .split(/[\s,]+/)
      .filter(Boolean);
  if (template === "network") return { network: { networks: list("networks") } };
  if (template === "sns") return { sns: { topics: list("topics") } };
  if (template !== "hmac") return null;
  const timestampHeader = text("timestampHeader").trim().toLowerCase();
  return {
    hmac: {
      header: text("header").trim().toLowerCase(),
      format: "plain",
      prefix: text("prefix"),
      algorithm: text("algorithm") as "sha256",
      encoding: text("encoding") as "hex",
      key: "text",
      content: text("content"),
      toleranceSeconds: timestampHeader === "" ? null : (settings.hmac?.toleranceSeconds ?? 300),
      ...(timestampHeader !== "" && { timestampHeader }),
    },
  };
}
