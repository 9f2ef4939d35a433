import { CodeBlock } from "#components/ui/code-block";
import type { DeliveryAttempt, DeliveryDetail } from "#lib/contracts/forwarding/deliveries";

type Exchange = Pick<DeliveryAttempt, "request" | "response"> & Pick<DeliveryDetail, "body">;

export function AttemptExchange({ request, response, body }: Exchange) {
  return (
    <div className="grid gap-3 rail:grid-cols-2 [&>*]:min-w-0">
      <CodeBlock
        title="Request"
        label="request"
        code={`${request.method} ${request.url}\n${headerLines(request.headers)}${body === null ? "" : `\n\n${textOf(body)}`}`}
      />
      {response === null ? (
        <p className="self-start rounded-md border border-line px-3 py-2 text-13 text-muted">No response</p>
      ) : (
        <CodeBlock
          title={`Response ${response.status}`}
          label="response"
          code={[headerLines(response.headers), textOf(response.body)].filter(Boolean).join("\n\n")}
        />
      )}
    </div>
  );
}

const headerLines = (headers: Record<string, string | string[]>) =>
  Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
    .join("\n");

const textOf = ({ text, base64 }: NonNullable<DeliveryDetail["body"]>) => text ?? `(not UTF-8 text; base64)\n${base64}`;

const PARTS = [
  ["dns", "DNS"],
  ["connect", "Connect"],
  ["tls", "TLS"],
  ["firstByte", "First byte"],
  ["total", "Total"],
] as const;

/** Leaves out the parts that the attempt did not reach. */
export function Durations({ durations }: Pick<DeliveryAttempt, "durations">) {
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-12">
      {PARTS.map(([name, label]) =>
        durations[name] === null ? null : (
          <div key={name} className="flex gap-1.5">
            <dt className="text-muted">{label}</dt>
            <dd className="tabular-nums">{durations[name]} ms</dd>
          </div>
        ),
      )}
    </dl>
  );
}
