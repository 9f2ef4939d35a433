import type { DeliveryAttempt } from "#lib/contracts/forwarding/deliveries";

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
